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
 */
public record SinkContext(String job, String node, int taskIndex, int parallelism, Clock clock) {}
