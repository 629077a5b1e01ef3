package io.streamforge.connector.generator;

import java.io.Serializable;
import java.util.random.RandomGenerator;

/** Makes the value of an index. */
@FunctionalInterface
public interface ValueGenerator<V> extends Serializable {
  /**
   * The value; depends on nothing but the arguments, or it cannot be made again after a restart.
   * Called by several threads when the source has several tasks.
   *
   * @param index 0 for the first element of the source
   * @param random the same sequence for each index; valid only during the call
   */
  V at(long index, RandomGenerator random) throws Exception;
}
