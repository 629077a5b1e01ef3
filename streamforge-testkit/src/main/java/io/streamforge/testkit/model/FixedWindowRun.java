package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.window.Trigger;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Windows whose bounds do not depend on the records. */
final class FixedWindowRun extends ModelRun {
  private record Place(Object key, Window window) {}

  private record Due(long millis, boolean close, Place place) {}

  private final boolean bySlice;
  private final Map<Place, List<Item>> contents;

  /**
   * A run.
   *
   * @param bySlice whether the records of a window come in the order of slices, and in that of
   *     arrival only within a slice
   */
  FixedWindowRun(
      Node.Windowing windowing,
      boolean bySlice,
      ToLongFunction<Object> hash,
      Function<List<@Nullable Object>, @Nullable Object> aggregate) {
    super(windowing, hash, aggregate);
    this.bySlice = bySlice;
    this.contents =
        new TreeMap<>(
            Comparator.comparing(Place::window)
                .thenComparing(p -> hash.applyAsLong(p.key()), Long::compareUnsigned));
  }

  private long dropMillis(Window window) {
    return Timestamps.plus(window.endMillis(), latenessMillis);
  }

  @Override
  void arrive(Record<@Nullable Object, @Nullable Object> record) {
    List<Window> windows = ModelWindows.containing(windowing.windows(), record.timestampMillis());
    if (windows.isEmpty()) {
      dropped++;
      return;
    }
    List<Window> kept = windows.stream().filter(w -> watermark < dropMillis(w)).toList();
    if (kept.isEmpty()) {
      late(record);
      return;
    }
    processed++;
    long sliceStart =
        bySlice ? ModelWindows.sliceStart(windowing.windows(), record.timestampMillis()) : 0;
    for (Window window : kept) {
      Place place = new Place(key(record), window);
      List<Item> items = contents.computeIfAbsent(place, p -> new ArrayList<>());
      Item item = new Item(record, sliceStart);
      items.add(item);
      if (firesOnRecord(window, items, item)) {
        fire(place, new Expected.Order(0, 0, 0, window));
      }
    }
  }

  private static Object key(Record<@Nullable Object, @Nullable Object> record) {
    Object key = record.key();
    if (key == null) {
      throw new IllegalArgumentException("no key: " + record);
    }
    return key;
  }

  private boolean firesOnRecord(Window window, List<Item> items, Item item) {
    boolean closed = window.endMillis() <= watermark;
    Trigger<?> trigger = closed ? windowing.lateTrigger() : windowing.earlyTrigger();
    if (trigger == null) {
      return closed;
    }
    return ModelTriggers.firesOnRecord(
        trigger, items, item, window.startMillis(), watermark, clockMillis);
  }

  private void fire(Place place, Expected.Order order) {
    List<Item> items = items(place);
    List<Item> covered = new ArrayList<>();
    for (Item item : items) {
      if (!discarding || !item.fired) {
        covered.add(item);
      }
    }
    if (bySlice) {
      covered.sort(Comparator.comparingLong(item -> item.sliceStartMillis));
    }
    Object result = result(covered);
    items.forEach(item -> item.fired = true);
    emit(place.key(), place.window(), result, place.window().endMillis() - 1, order);
  }

  private List<Item> items(Place place) {
    return contents.getOrDefault(place, List.of());
  }

  @Override
  void advance(long before) {
    List<Due> dues = new ArrayList<>();
    for (Place place : contents.keySet()) {
      long end = place.window().endMillis();
      long drop = dropMillis(place.window());
      if (before < end && end <= watermark) {
        dues.add(new Due(end, true, place));
      }
      if (before < drop && drop <= watermark) {
        dues.add(new Due(drop, false, place));
      }
    }
    dues.sort(
        Comparator.comparingLong(Due::millis)
            .thenComparing(due -> due.place().window())
            .thenComparing(due -> !due.close()));
    for (Due due : dues) {
      Place place = due.place();
      List<Item> items = items(place);
      boolean something = ModelTriggers.unfired(items) > 0;
      if (something || (due.close() && !discarding)) {
        fire(place, new Expected.Order(0, due.millis(), 0, place.window()));
      }
      items.forEach(Item::clearTimers);
      if (!due.close()) {
        contents.remove(place);
      }
    }
    fireTimers(items -> ModelTriggers.firstEventTimer(items, watermark), true);
  }

  @Override
  void fireProcessingTimers() {
    fireTimers(items -> ModelTriggers.firstProcessingTimer(items, clockMillis), false);
  }

  private void fireTimers(Function<List<Item>, @Nullable Long> next, boolean event) {
    while (true) {
      Long time = null;
      Place at = null;
      for (Map.Entry<Place, List<Item>> entry : contents.entrySet()) {
        Long candidate = next.apply(entry.getValue());
        if (candidate != null && (time == null || candidate < time)) {
          time = candidate;
          at = entry.getKey();
        }
      }
      if (time == null || at == null) {
        return;
      }
      long due = time;
      items(at).forEach(item -> (event ? item.eventTimers : item.processingTimers).remove(due));
      if (ModelTriggers.unfired(items(at)) > 0) {
        fire(at, new Expected.Order(1, due, hash.applyAsLong(at.key()), at.window()));
      }
    }
  }
}
