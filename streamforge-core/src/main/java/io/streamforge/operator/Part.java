package io.streamforge.operator;

/**
 * An accumulator on its own, to be merged into another or on its way to another task.
 *
 * @param accumulator in the form of the aggregation: as the aggregator makes it, or an array of its
 *     columns
 */
public record Part(Object accumulator) {}
