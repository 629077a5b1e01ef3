package io.streamforge.metrics;

/**
 * The checkpoints of a job since it was started.
 *
 * @param restoredFrom number of the checkpoint that the job went on from; 0: it began without state
 * @param restoredBytes bytes that were read of it
 * @param restoreMillis how long that took
 * @param published how many have been published
 * @param abandoned how many have been given up
 * @param abandonedBecause why the last one of these was; empty: none was
 * @param lastNumber number of the last published one; 0: none yet
 * @param lastDurationMillis from the beginning of that one until it was published
 * @param lastBytes bytes of state that were written for that one
 * @param fullBytes bytes of state that it consists of, with those of earlier ones that it builds on
 * @param inFlightBytes bytes of records on their way between tasks that are part of that one; 0 in
 *     an aligned one
 * @param alignmentMillis the longest time, over all tasks, from the first barrier of that one at a
 *     task to the last, or until the task took it without; inputs that had brought it were held
 *     meanwhile, unless checkpoints are at least once
 * @param alignedLast the task with that time, as {@code task 2[1] of 'count'}; empty: none waited
 * @param lastCause what has taken longest of all that it waited for one after the other, as {@code
 *     11.8 s of them task 2[1] of 'count' waited for the barrier from task 1[0] of 'enrich'};
 *     empty: none yet
 */
public record CheckpointMetrics(
    long restoredFrom,
    long restoredBytes,
    long restoreMillis,
    long published,
    long abandoned,
    String abandonedBecause,
    long lastNumber,
    long lastDurationMillis,
    long lastBytes,
    long fullBytes,
    long inFlightBytes,
    long alignmentMillis,
    String alignedLast,
    String lastCause) {}
