package io.streamforge.source;

/**
 * A part of a source that is read in order by one task: a partition, a file, a share of a
 * generator.
 *
 * @param id unique within the source and the same whenever the source is opened again, at whatever
 *     parallelism: one id means the same records for ever
 * @param position where to begin; the source decides what it counts (offsets, records, bytes)
 */
public record Split(String id, long position) {}
