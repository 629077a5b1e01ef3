package io.streamforge.sink;

import io.streamforge.time.Clock;
import java.util.List;

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
 * @param previously names that the node had before. What the system outside has under one of them
 *     is this sink's: it is to be renamed by {@link CommittingSink#recover}, or understood
 */
public record SinkContext(
    String job,
    String node,
    int taskIndex,
    int parallelism,
    Clock clock,
    boolean checkpointed,
    List<String> previously) {
  /** A copy. */
  public SinkContext {
    previously = List.copyOf(previously);
  }

  /** Of a node that was always called so. */
  public SinkContext(
      String job, String node, int taskIndex, int parallelism, Clock clock, boolean checkpointed) {
    this(job, node, taskIndex, parallelism, clock, checkpointed, List.of());
  }
}
