package io.streamforge.time;

import java.io.Serializable;

/** Reads the event time of a record. */
@FunctionalInterface
public interface TimestampExtractor<K, V> extends Serializable {
  /**
   * Epoch milliseconds.
   *
   * @param recordTimestampMillis what the source stated; the time of reading where it states none
   */
  long extract(K key, V value, long recordTimestampMillis) throws Exception;
}
