package io.streamforge.operator.window;

import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * The two slices used last: out of order as records are, nearly all lie in one of them. Which of
 * the two is a matter of chance, so it is found without a branch, which the processor would predict
 * wrongly every other time.
 *
 * @param <S> slices
 */
@Specialised
final class RecentSlices<S> {
  private @Nullable S older;
  private long olderStart;
  private long olderEnd;
  private @Nullable S newer;
  private long newerStart;
  private long newerEnd;

  /** The slice that contains the instant; null when it is not one of the two. */
  @Nullable S find(long timestampMillis) {
    boolean late = timestampMillis < newerStart;
    S slice = late ? older : newer;
    long start = late ? olderStart : newerStart;
    long end = late ? olderEnd : newerEnd;
    return timestampMillis >= start && timestampMillis < end ? slice : null;
  }

  /** The one that begins later; null when there is none. */
  @Nullable S newer() {
    return newer;
  }

  /** A slice is in use. */
  void add(S slice, Window window) {
    if (newer != null && window.startMillis() < newerStart) {
      older = slice;
      olderStart = window.startMillis();
      olderEnd = window.endMillis();
      return;
    }
    if (newer != null) {
      older = newer;
      olderStart = newerStart;
      olderEnd = newerEnd;
    }
    newer = slice;
    newerStart = window.startMillis();
    newerEnd = window.endMillis();
  }

  /** A slice is not used any more. */
  void remove(S slice) {
    if (slice == older) {
      older = null;
      olderStart = 0;
      olderEnd = 0;
    } else if (slice == newer) {
      newer = null;
      newerStart = olderEnd;
      newerEnd = olderEnd;
    }
  }
}
