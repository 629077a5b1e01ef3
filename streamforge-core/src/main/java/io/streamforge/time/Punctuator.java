package io.streamforge.time;

import java.io.Serializable;

/** Recognises records that carry a watermark. */
@FunctionalInterface
public interface Punctuator<K, V> extends Serializable {
  /** A promise that this record carries, or {@link #NONE}. */
  long watermark(K key, V value, long timestampMillis) throws Exception;

  /** The record carries no watermark. */
  long NONE = Long.MIN_VALUE;
}
