package io.streamforge.operator.window;

import io.streamforge.operator.Accumulation;
import io.streamforge.specialise.Specialised;
import java.util.ArrayDeque;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A resumable walk over the entries of several slices. */
@Specialised
final class SliceWalk {
  /** What is done with an entry: one step. */
  @FunctionalInterface
  interface Step {
    void take(Accumulation.Walk entry) throws Exception;
  }

  private final ArrayDeque<Slice> slices = new ArrayDeque<>();
  private Accumulation.@Nullable Walk entries;

  /** Walks over these slices next. */
  void over(Collection<Slice> next) {
    slices.addAll(next);
  }

  /** Goes on; the steps of {@code budget} that are left, 0 when there may be more entries. */
  int go(int budget, Step step) throws Exception {
    int left = budget;
    for (Slice slice; left > 0 && (slice = slices.peek()) != null; ) {
      Accumulation.Walk of = entries == null ? slice.table.walk() : entries;
      entries = of;
      while (left > 0 && of.next()) {
        step.take(of);
        left--;
      }
      if (left > 0) {
        slices.remove();
        entries = null;
      }
    }
    return left;
  }
}
