package io.streamforge.function;

import io.streamforge.record.Headers;
import io.streamforge.time.TimerService;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Processor} may use while it handles a record or a timer; valid only during the
 * call.
 */
public interface ProcessorContext<KOut, VOut> {
  /** Epoch milliseconds of the record in hand; of the timer when a timer is handled. */
  long timestampMillis();

  /** Headers of the record in hand; null when it has none or a timer is handled. */
  @Nullable Headers headers();

  /** Event time of this task: no record below it is expected. {@link Long#MIN_VALUE} at first. */
  long watermarkMillis();

  /** Processing time: epoch milliseconds of the job's clock. */
  long processingTimeMillis();

  /** Timers of the key in hand. */
  TimerService timers();

  /** Emits a record with {@link #timestampMillis()} and {@link #headers()}. */
  void emit(KOut key, VOut value);

  /**
   * Emits a record with a timestamp of its own; it should not be below {@link #watermarkMillis()},
   * or windows downstream may find it late.
   */
  void emit(KOut key, VOut value, long timestampMillis);

  /** Emits to a side output that the topology reads with {@code sideOutput(...)}. */
  <K, V> void emit(SideOutput<K, V> output, K key, V value);
}
