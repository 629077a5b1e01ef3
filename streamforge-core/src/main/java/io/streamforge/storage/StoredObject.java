package io.streamforge.storage;

/**
 * An object that is there.
 *
 * @param name its name, with its folder
 * @param size bytes
 */
public record StoredObject(String name, long size) {}
