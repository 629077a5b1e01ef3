package io.streamforge.operator.window;

import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The slices in which there are records, in the order of time; they do not overlap. */
@Specialised
final class Slices {
  private final NavigableMap<Long, Slice> byStart = new TreeMap<>();

  void add(Slice slice) {
    byStart.put(slice.window.startMillis(), slice);
  }

  void remove(Slice slice) {
    byStart.remove(slice.window.startMillis());
  }

  /** The slice that starts at this instant; null when there is none. */
  @Nullable Slice at(long startMillis) {
    return byStart.get(startMillis);
  }

  /** The first; null when there is none. */
  @Nullable Slice first() {
    return orNull(byStart.firstEntry());
  }

  /** The first that starts at the instant or later; null when there is none. */
  @Nullable Slice firstFrom(long millis) {
    return orNull(byStart.ceilingEntry(millis));
  }

  /** The last that starts before the instant; null when there is none. */
  @Nullable Slice lastBefore(long millis) {
    return orNull(byStart.lowerEntry(millis));
  }

  private static @Nullable Slice orNull(Map.@Nullable Entry<Long, Slice> entry) {
    return entry == null ? null : entry.getValue();
  }

  /** All of them. */
  Collection<Slice> all() {
    return byStart.values();
  }

  /** Those that the window contains. */
  Collection<Slice> within(Window window) {
    return between(window.startMillis(), window.endMillis());
  }

  /** Those that start at {@code fromMillis} or later, and before {@code toMillis}. */
  Collection<Slice> between(long fromMillis, long toMillis) {
    return byStart.subMap(fromMillis, true, toMillis, false).values();
  }

  /** As {@link #between}, the last one first. */
  Collection<Slice> backwards(long fromMillis, long toMillis) {
    return byStart.subMap(fromMillis, true, toMillis, false).descendingMap().values();
  }
}
