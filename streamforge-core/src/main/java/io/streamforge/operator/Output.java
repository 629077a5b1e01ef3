package io.streamforge.operator;

import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/** Where an operator emits: the next operator of its task, or the end of an exchange. */
public interface Output {
  /**
   * Takes a record; when the call returns it has been handed on, or is kept. The key hash that goes
   * with it is that of the task's {@link KeyContext}.
   */
  void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception;
}
