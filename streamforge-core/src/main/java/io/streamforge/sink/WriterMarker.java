package io.streamforge.sink;

/**
 * How far the output of a writer is visible.
 *
 * @param writer its id: the index of its task as a decimal number
 * @param checkpoint the highest one of which output was committed
 */
public record WriterMarker(String writer, long checkpoint) {}
