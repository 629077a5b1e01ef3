package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.record.Record;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What the two models have in common: the events, the books, and the list of emissions. */
abstract class ModelRun {
  final Node.Windowing windowing;
  final long latenessMillis;
  final boolean discarding;
  final ToLongFunction<Object> hash;
  private final Function<List<@Nullable Object>, @Nullable Object> aggregate;

  private final List<Expected> emitted = new ArrayList<>();
  long processed;
  long late;
  long dropped;

  int event;
  long watermark = Long.MIN_VALUE;
  long clockMillis;

  ModelRun(
      Node.Windowing windowing,
      ToLongFunction<Object> hash,
      Function<List<@Nullable Object>, @Nullable Object> aggregate) {
    this.windowing = windowing;
    this.latenessMillis = windowing.allowedLateness().toMillis();
    this.discarding = windowing.accumulation() == Node.Accumulation.DISCARDING;
    this.hash = hash;
    this.aggregate = aggregate;
  }

  final Outcome run(List<OperatorEvent> events) {
    for (event = 0; event < events.size(); event++) {
      OperatorEvent next = events.get(event);
      if (next instanceof OperatorEvent.Arrival arrival) {
        arrive(arrival.record());
      } else if (next instanceof OperatorEvent.Watermark advance) {
        long before = watermark;
        watermark = advance.millis();
        advance(before);
      } else if (next instanceof OperatorEvent.ClockTime time) {
        clockMillis = time.millis();
        fireProcessingTimers();
      }
    }
    return new Outcome(emitted, processed, late, dropped);
  }

  abstract void arrive(Record<@Nullable Object, @Nullable Object> record);

  abstract void advance(long before);

  abstract void fireProcessingTimers();

  final void late(Record<@Nullable Object, @Nullable Object> record) {
    late++;
    if (windowing.lateOutput() != null) {
      emitted.add(
          new Expected(
              windowing.lateOutput().name(), event, new Expected.Order(0, 0, 0, null), record));
    }
  }

  final void emit(
      Object key, Window window, @Nullable Object value, long millis, Expected.Order order) {
    emitted.add(
        new Expected(
            "", event, order, new Record<>(key, new Windowed<>(window, value), millis, null)));
  }

  /** The result over these records, in this order. */
  final @Nullable Object result(List<Item> items) {
    List<@Nullable Object> values = new ArrayList<>();
    items.forEach(item -> values.add(item.record.value()));
    return aggregate.apply(values);
  }
}
