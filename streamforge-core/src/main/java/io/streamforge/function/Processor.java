package io.streamforge.function;

import io.streamforge.state.StateDeclarations;
import io.streamforge.time.TimeDomain;

/**
 * A keyed function with state and timers. One instance serves one task, which owns a part of the
 * keys; it is never called by two threads at a time.
 *
 * <p>Call order: {@link #states} (also once on an instance of its own when the topology is built),
 * {@link #open}, then any number of {@link #process} and {@link #onTimer}, then {@link #close}.
 *
 * @param <K> keys of the input; state and timers belong to the key of the record or timer in hand
 * @param <V> values of the input
 * @param <KOut> keys of the output
 * @param <VOut> values of the output
 */
public interface Processor<K, V, KOut, VOut> {
  /** Declares the state and keeps the handles that it gets; must not do anything else. */
  default void states(StateDeclarations states) {}

  /** Before the first record; opens what the processor needs besides state. */
  default void open() throws Exception {}

  /** One record. */
  void process(K key, V value, ProcessorContext<KOut, VOut> context) throws Exception;

  /**
   * A timer that this processor has set for the key is due. When bounded input ends the watermark
   * becomes {@link Long#MAX_VALUE} and every event timer fires, also those that are set meanwhile:
   * a processor that sets one in each call must stop doing so when {@link
   * ProcessorContext#watermarkMillis} is {@link Long#MAX_VALUE}, or the job never ends.
   */
  default void onTimer(
      K key, long timerMillis, TimeDomain domain, ProcessorContext<KOut, VOut> context)
      throws Exception {}

  /** After the last record, also when the job fails. */
  default void close() throws Exception {}
}
