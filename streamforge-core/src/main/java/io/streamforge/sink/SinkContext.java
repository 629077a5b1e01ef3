package io.streamforge.sink;

import io.streamforge.time.Clock;

/**
 * What a sink may know of the job that writes it.
 *
 * @param job name of the job
 * @param node name of the sink's node
 * @param taskIndex which task the writer belongs to
 * @param parallelism number of tasks that write
 * @param clock the job's clock
 * @param checkpointed whether the job has checkpoints: a {@link CommittingSink} then shows output
 *     when it is committed and only then. Otherwise it is never asked to prepare, and shows output
 *     as it sees fit, all of it when the writer has finished
 */
public record SinkContext(
    String job, String node, int taskIndex, int parallelism, Clock clock, boolean checkpointed) {}
