package io.streamforge.testkit;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TaskStates;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint of the keyed state of one operator, in memory: of each state or slice the chunks of
 * its base and of the changes since.
 */
final class SavedStates {
  private record Name(String state, @Nullable Window slice) implements Comparable<Name> {
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::state)
            .thenComparing(Name::slice, Comparator.nullsFirst(Comparator.naturalOrder()));

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }
  }

  private record Saved(KeyedSnapshot.Part part, List<byte[]> chunks) {}

  private final Map<Name, Saved> states = new TreeMap<>();

  /** Nothing. */
  SavedStates() {}

  /** One that is being written. */
  static final class Writing {
    private final KeyedSnapshot snapshot;
    private final SavedStates saved = new SavedStates();
    private boolean complete;

    Writing(TaskStates states, SavedStates before) {
      snapshot = states.snapshot();
      for (KeyedSnapshot.Part part : snapshot.parts()) {
        Name name = new Name(part.state(), part.slice());
        List<byte[]> chunks = new ArrayList<>();
        if (part.extent() != KeyedSnapshot.Extent.WHOLE) {
          chunks.addAll(
              Objects.requireNonNull(before.states.get(name), "no base of " + name).chunks());
        }
        saved.states.put(name, new Saved(part, chunks));
      }
    }

    /** Writes some entries. */
    void write(int budget) {
      if (!complete) {
        complete =
            snapshot.write(
                budget,
                (index, chunk) -> {
                  KeyedSnapshot.Part part = snapshot.parts().get(index);
                  Objects.requireNonNull(saved.states.get(new Name(part.state(), part.slice())))
                      .chunks()
                      .add(chunk);
                });
      }
    }

    /** Writes the rest; it counts. */
    SavedStates confirm() {
      while (!complete) {
        write(Integer.MAX_VALUE);
      }
      snapshot.confirm();
      return saved;
    }

    /** It does not count. */
    void abandon() {
      snapshot.abandon();
    }
  }

  /** For states that begin with it. */
  RestoredStates restored() {
    Map<Name, Saved> left = new TreeMap<>(states);
    return new RestoredStates() {
      @Override
      public List<Window> slices(String state) {
        List<Window> slices = new ArrayList<>();
        for (Name name : left.keySet()) {
          if (name.state().equals(state) && name.slice() != null) {
            slices.add(name.slice());
          }
        }
        return slices;
      }

      @Override
      public @Nullable StoredState take(String state, @Nullable Window slice) {
        Saved saved = left.remove(new Name(state, slice));
        if (saved == null) {
          return null;
        }
        Iterator<byte[]> chunks = saved.chunks().iterator();
        return new StoredState(
            saved.part().schema(),
            saved.part().form(),
            () -> chunks.hasNext() ? chunks.next() : null);
      }
    };
  }
}
