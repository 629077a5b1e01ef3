package io.streamforge.operator;

import org.jspecify.annotations.Nullable;

/**
 * The key in hand of a task. The driver sets the hash before each record; an operator that emits
 * for another key (a closing window, a timer) sets both first.
 */
public final class KeyContext {
  /** Set by keyed operators that hand out state scoped to the key. */
  public @Nullable Object key;

  /** Hash of the key of the record in hand. */
  public long hash;
}
