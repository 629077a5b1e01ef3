package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/** An edge between two operators of a stage: a call. */
public final class FusedOutput implements Output {
  private final NodeCounters counters;
  private final Operator next;
  private final Fullness fullness;

  /** Whether the operators of the task are to stop. */
  @FunctionalInterface
  public interface Fullness {
    /** As {@link Output#full}. */
    boolean full();
  }

  /**
   * From the node with these counters to {@code next}.
   *
   * @param fullness of the whole task: if one of its outputs has no room none of its operators goes
   *     on, nor does one whose output another one has in hand
   */
  public FusedOutput(NodeCounters counters, Operator next, Fullness fullness) {
    this.counters = counters;
    this.next = next;
    this.fullness = fullness;
  }

  @Override
  public void emit(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.out++;
    next.process(key, value, timestampMillis, headers);
  }

  @Override
  public boolean full() {
    return fullness.full();
  }
}
