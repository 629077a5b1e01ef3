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

  /** A state, or one slice of it, once; null when there is none. */
  @Nullable StoredState take(String state, @Nullable Window slice);
}
