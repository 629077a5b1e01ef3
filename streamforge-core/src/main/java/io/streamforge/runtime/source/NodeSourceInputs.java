package io.streamforge.runtime.source;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Output;
import io.streamforge.operator.Rejections;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Waker;
import io.streamforge.source.SourceReader;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.WatermarkStrategy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes them in the classes of its own node. */
@Specialised
public final class NodeSourceInputs implements SourceInputs {
  @Override
  public SplitInput create(
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
      Consumer<Throwable> onFailure) {
    return new SourceInput(
        node,
        reader,
        strategy,
        hasTimestamps,
        pacer,
        alignment,
        task,
        fetchSize,
        scheduler,
        self,
        gate,
        counters,
        head,
        rejections,
        onFailure);
  }
}
