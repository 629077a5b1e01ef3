package io.streamforge.operator;

import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/** Where an operator emits. */
public interface Output {
  /**
   * Hands a record to whatever follows, which has taken it when the call returns. The key hash that
   * goes with it is that of the task's {@link KeyContext}.
   */
  void emit(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception;

  /**
   * Whether something downstream has no room or has work in hand: an operator that fans out stops
   * as soon as it can. A record that is emitted all the same is kept, up to a limit.
   */
  boolean full();
}
