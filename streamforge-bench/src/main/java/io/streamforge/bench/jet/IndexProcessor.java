package io.streamforge.bench.jet;

import com.hazelcast.function.SupplierEx;
import com.hazelcast.jet.Traverser;
import com.hazelcast.jet.core.AbstractProcessor;
import com.hazelcast.jet.core.EventTimeMapper;
import com.hazelcast.jet.core.EventTimePolicy;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.pipeline.BatchSource;
import com.hazelcast.jet.pipeline.Sources;
import com.hazelcast.jet.pipeline.StreamSource;
import io.streamforge.bench.workload.Chunks;
import io.streamforge.bench.workload.Workload;
import java.util.function.LongFunction;

/** A source of records made of their index. */
final class IndexProcessor<T> extends AbstractProcessor {
  private final LongFunction<T> maker;

  /** Null: without event time. */
  private final EventTimeMapper<T> eventTime;

  private final Workload workload;
  private Chunks chunks;
  private int stride;
  private Traverser<?> chunk;

  private IndexProcessor(LongFunction<T> maker, EventTimeMapper<T> eventTime, Workload workload) {
    this.maker = maker;
    this.eventTime = eventTime;
    this.workload = workload;
  }

  static <T> BatchSource<T> batch(SupplierEx<LongFunction<T>> makers) {
    return Sources.batchFromProcessor(
        "records", ProcessorMetaSupplier.of(() -> new IndexProcessor<>(makers.get(), null, null)));
  }

  static <T> StreamSource<T> stream(String workload, SupplierEx<LongFunction<T>> makers) {
    return Sources.streamFromProcessorWithWatermarks(
        "records", true, policy -> supplier(workload, makers, policy));
  }

  private static <T> ProcessorMetaSupplier supplier(
      String workload, SupplierEx<LongFunction<T>> makers, EventTimePolicy<? super T> policy) {
    return ProcessorMetaSupplier.of(
        () ->
            new IndexProcessor<>(
                makers.get(), new EventTimeMapper<>(policy), Workload.of(workload)));
  }

  @Override
  protected void init(Context context) {
    stride = context.totalParallelism();
    chunks = new Chunks(context.globalProcessorIndex(), stride);
    if (eventTime != null) {
      eventTime.addPartitions(1);
    }
  }

  @Override
  public boolean complete() {
    if (chunk == null) {
      if (!chunks.advance()) {
        return true;
      }
      if (chunks.from() == chunks.to()) {
        return false;
      }
      Chunk records = new Chunk(chunks.from(), chunks.to());
      chunk = eventTime == null ? records : records.flatMap(this::timed);
    }
    if (emitFromTraverser(chunk)) {
      chunk = null;
    }
    return false;
  }

  private Traverser<Object> timed(T item) {
    return eventTime.flatMapEvent(item, 0, workload.input().timestamp(last));
  }

  /** Index of the item that was made last. */
  private long last;

  private final class Chunk implements Traverser<T> {
    private final long to;
    private long at;

    Chunk(long from, long to) {
      this.at = from;
      this.to = to;
    }

    @Override
    public T next() {
      if (at >= to) {
        return null;
      }
      last = at;
      at += stride;
      return maker.apply(last);
    }
  }
}
