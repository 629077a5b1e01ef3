package io.streamforge.connector.callback;

import io.streamforge.record.Record;

/** Takes each record of a sink. */
@FunctionalInterface
public interface RecordCallback<K, V> {
  /** One record; called by one thread at a time for each task of the sink. */
  void accept(Record<K, V> record) throws Exception;
}
