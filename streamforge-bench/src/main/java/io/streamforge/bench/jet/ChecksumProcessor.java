package io.streamforge.bench.jet;

import com.hazelcast.function.ToLongFunctionEx;
import com.hazelcast.jet.core.Inbox;
import com.hazelcast.jet.core.Outbox;
import com.hazelcast.jet.core.Processor;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.core.Watermark;
import com.hazelcast.jet.pipeline.Sink;
import com.hazelcast.jet.pipeline.Sinks;
import io.streamforge.bench.workload.Outputs;

/** A sink that adds the hashes of what it gets to the {@link Outputs}. */
final class ChecksumProcessor<T> implements Processor {
  private final ToLongFunctionEx<T> hash;
  private Outputs outputs;

  private ChecksumProcessor(ToLongFunctionEx<T> hash) {
    this.hash = hash;
  }

  static <T> Sink<T> sink(ToLongFunctionEx<T> hash) {
    return Sinks.fromProcessor(
        "checksum", ProcessorMetaSupplier.of(() -> new ChecksumProcessor<>(hash)));
  }

  @Override
  public void init(Outbox outbox, Context context) {
    outputs = new Outputs();
  }

  @Override
  @SuppressWarnings("unchecked")
  public void process(int ordinal, Inbox inbox) {
    for (Object item; (item = inbox.poll()) != null; ) {
      outputs.add(hash.applyAsLong((T) item));
    }
  }

  @Override
  public boolean tryProcessWatermark(Watermark watermark) {
    return true;
  }

  @Override
  public void close() {
    outputs.end();
  }
}
