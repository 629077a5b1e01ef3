package io.streamforge.metrics;

import org.jspecify.annotations.Nullable;

/**
 * A task at one moment.
 *
 * @param task stage and index, as {@code 1[0]}
 * @param busyShare share of its time in which it has worked, 0 to 1
 * @param blockedShare share in which it waited for room downstream
 * @param idleShare share in which it waited for input
 * @param watermarkMillis its event time; {@link Long#MIN_VALUE}: none yet
 * @param heldBackBy the input that holds it back; null: none does
 * @param credits batches that its outputs could still fill
 * @param pace records a second that what follows it was last seen to take while there were any,
 *     which is what a task that is blocked is slowed down to; 0: not measured yet
 * @param alignmentMillis in the last checkpoint that it has taken, from the first barrier that came
 *     to it to the last, or until it was taken without; 0 where there is one input
 */
public record TaskMetrics(
    String task,
    double busyShare,
    double blockedShare,
    double idleShare,
    long watermarkMillis,
    @Nullable String heldBackBy,
    int credits,
    double pace,
    long alignmentMillis) {}
