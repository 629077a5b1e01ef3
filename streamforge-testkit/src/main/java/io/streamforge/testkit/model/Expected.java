package io.streamforge.testkit.model;

import io.streamforge.record.Record;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * A record that an operator must emit.
 *
 * @param output name of the output; empty for the main one
 * @param event index of the event during which it must be emitted
 * @param order its place among what is emitted during the event; equal places: no order is promised
 *     between different keys
 * @param record the record
 */
public record Expected(
    String output, int event, Order order, Record<@Nullable Object, @Nullable Object> record) {

  /**
   * The place of an emission during an event.
   *
   * @param phase 0: at once, or windows that close or are dropped; 1: timers
   * @param dueMillis the time at which it became due
   * @param hash of the key, where keys have an order
   * @param window where windows have an order
   */
  public record Order(int phase, long dueMillis, long hash, @Nullable Window window)
      implements Comparable<Order> {
    @Override
    public int compareTo(Order other) {
      int c = Integer.compare(phase, other.phase);
      c = c != 0 ? c : Long.compare(dueMillis, other.dueMillis);
      c = c != 0 ? c : Long.compareUnsigned(hash, other.hash);
      return c != 0 || window == null || other.window == null ? c : window.compareTo(other.window);
    }
  }

  @Override
  public String toString() {
    return "#" + event + (output.isEmpty() ? " " : " " + output + ": ") + record;
  }
}
