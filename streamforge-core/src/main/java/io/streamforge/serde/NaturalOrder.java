package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Refuses sorted collections whose order would not come back. */
final class NaturalOrder {
  private NaturalOrder() {}

  static void check(Object collection) {
    if (collection instanceof SortedSet<?> set) {
      check(set.comparator());
    } else if (collection instanceof SortedMap<?, ?> map) {
      check(map.comparator());
    }
  }

  private static void check(@Nullable Comparator<?> comparator) {
    if (comparator != null && !comparator.equals(Comparator.naturalOrder())) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a sorted set or map with a comparator of its own cannot be serialised, since the"
              + " comparator would be lost",
          "Use the natural order of the elements, or pass a serde of your own with typed(...).",
          null);
    }
  }
}
