package io.streamforge.source;

import io.streamforge.time.Clock;

/**
 * What a source may know of the job that reads it.
 *
 * @param job name of the job
 * @param node name of the source's node
 * @param taskIndex which task the reader belongs to; 0 for the enumerator
 * @param parallelism number of tasks that read the source
 * @param clock the job's clock
 * @param wake to be called, by any thread, when a reader that was {@link ReadStatus#WAITING} has
 *     something to read
 */
public record SourceContext(
    String job, String node, int taskIndex, int parallelism, Clock clock, Runnable wake) {}
