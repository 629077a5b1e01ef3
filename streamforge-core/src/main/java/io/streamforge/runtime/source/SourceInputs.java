package io.streamforge.runtime.source;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Output;
import io.streamforge.operator.Rejections;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Waker;
import io.streamforge.source.SourceReader;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.time.WatermarkStrategy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the inputs of a source node's tasks. */
public interface SourceInputs {
  /** In the job's own classes for the node. */
  static SourceInputs of(NodeClasses classes, String node) {
    return classes.instance(node, SourceInputs.class, NodeSourceInputs.class);
  }

  /**
   * The input of one task.
   *
   * @param fetchSize records that a blocking reader may read ahead at a time
   * @param rejections what becomes of records that are rejected; null: they fail the job
   * @param onFailure told what a blocking reader throws
   */
  SplitInput create(
      String node,
      SourceReader<?, ?> reader,
      WatermarkStrategy<?, ?> strategy,
      boolean hasTimestamps,
      @Nullable Pacer pacer,
      @Nullable SplitAlignment alignment,
      int task,
      int fetchSize,
      Scheduler scheduler,
      Waker self,
      Gate gate,
      NodeCounters counters,
      Output head,
      @Nullable Rejections rejections,
      Consumer<Throwable> onFailure);
}
