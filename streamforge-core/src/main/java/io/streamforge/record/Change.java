package io.streamforge.record;

import org.jspecify.annotations.Nullable;

/**
 * What an update did to a row of a table. Each update makes one, also where there is nothing before
 * and nothing behind it: that there is no row is known from its time on.
 *
 * @param before the row that was there, null: none; always null unless {@code current}
 * @param after the row from the record's time on, null: none
 * @param current whether {@code after} is what the table has now; otherwise the update came behind
 *     a newer one of its key, and says only what was there at its time
 */
public record Change<V>(@Nullable V before, @Nullable V after, boolean current) {
  /** A change of what the table has now. */
  public static <V> Change<V> of(@Nullable V before, @Nullable V after) {
    return new Change<>(before, after, true);
  }

  /** What was there at its time, behind a newer update. */
  public static <V> Change<V> behind(@Nullable V after) {
    return new Change<>(null, after, false);
  }

  /** Whether the table shows something else now, or the same once more. */
  public boolean shows() {
    return current && (before != null || after != null);
  }

  @Override
  public String toString() {
    return current ? before + " -> " + after : "(" + after + ")";
  }
}
