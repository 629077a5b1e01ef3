package io.streamforge.metrics;

/**
 * The checkpoints of a job since it was started.
 *
 * @param restoredFrom number of the checkpoint that the job went on from; 0: it began without state
 * @param published how many have been published
 * @param abandoned how many have been given up
 * @param lastNumber number of the last published one; 0: none yet
 * @param lastDurationMillis from the beginning of that one until it was published
 * @param lastBytes bytes of state that were written for that one
 * @param fullBytes bytes of state that it consists of, with those of earlier ones that it builds on
 * @param inFlightBytes bytes of records on their way between tasks that are part of that one; 0 in
 *     an aligned one
 */
public record CheckpointMetrics(
    long restoredFrom,
    long published,
    long abandoned,
    long lastNumber,
    long lastDurationMillis,
    long lastBytes,
    long fullBytes,
    long inFlightBytes) {}
