package io.streamforge.backend;

import io.streamforge.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a checkpoint holds of one node's keyed state. */
public interface RestoredStates {
  /** Nothing. */
  RestoredStates NONE =
      new RestoredStates() {
        @Override
        public List<Window> slices(String state) {
          return List.of();
        }

        @Override
        public @Nullable StoredState take(String state, @Nullable Window slice) {
          return null;
        }
      };

  /** The slices of a state that have not been taken, in their order. */
  List<Window> slices(String state);

  /**
   * Fills a table with what was taken. Several tasks may do that at the same time, while all else
   * at the start of a job is done by one after the other; so the work must touch nothing but the
   * table, what was taken and serdes.
   */
  default void fill(Runnable work) {
    work.run();
  }

  /** A state, or one slice of it, once; null when there is none. */
  @Nullable StoredState take(String state, @Nullable Window slice);
}
