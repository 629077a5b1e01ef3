package io.streamforge.window;

/**
 * What a {@link Trigger} knows about the key and window in hand; valid only during the call.
 *
 * @param <K> keys
 */
public interface TriggerContext<K> {
  /** The key. */
  K key();

  /** The window; a session's window grows and is merged with others. */
  Window window();

  /** Records that are in the window. */
  long count();

  /** Records that have been added since the window last emitted a result. */
  long countSinceFiring();

  /** Timestamp of the record in hand, or the time of the timer. */
  long timestampMillis();

  /** Event time of this task. */
  long watermarkMillis();

  /** Processing time, epoch milliseconds. */
  long processingTimeMillis();

  /** The trigger's own memory for this key and window; 0 at first; added up when sessions merge. */
  long memory();

  /** Sets the trigger's own memory for this key and window. */
  void memory(long value);

  /**
   * Calls {@link Trigger#onTimer} when the watermark reaches the time, unless the window closes.
   */
  void setEventTimer(long timeMillis);

  /** Calls {@link Trigger#onTimer} when the clock reaches the time, unless the window closes. */
  void setProcessingTimer(long timeMillis);
}
