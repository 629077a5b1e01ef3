package io.streamforge.connector.generator;

import io.streamforge.record.Record;
import java.io.Serializable;
import java.util.random.RandomGenerator;

/** Makes the record of an index; see {@link ValueGenerator}. */
@FunctionalInterface
public interface RecordGenerator<K, V> extends Serializable {
  /** The record. */
  Record<K, V> at(long index, RandomGenerator random) throws Exception;
}
