package io.streamforge.testkit.simulation;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.SnapshotOutput;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TaskStates;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mistakes in what is written and restored of keyed state. */
final class StatePlantings {
  private StatePlantings() {}

  static final class ForgottenGroup implements Planting {
    @Override
    public KeyedStateBackend backend() {
      return restoring(
          opening ->
              opening.firstGroup() > 0 ? opening : with(opening, new Emptied(opening.restored())));
    }

    private record Emptied(RestoredStates restored) implements RestoredStates {
      @Override
      public List<Window> slices(String state) {
        return restored.slices(state);
      }

      @Override
      public @Nullable StoredState take(String state, @Nullable Window slice) {
        StoredState stored = restored.take(state, slice);
        return stored == null ? null : new StoredState(stored.schema(), stored.form(), () -> null);
      }
    }
  }

  /** Restores by way of something else. */
  private static KeyedStateBackend restoring(UnaryOperator<KeyedStateBackend.Opening> through) {
    return (classes, opening) -> new MemoryBackend().open(classes, through.apply(opening));
  }

  private static KeyedStateBackend.Opening with(
      KeyedStateBackend.Opening opening, RestoredStates restored) {
    return new KeyedStateBackend.Opening(
        opening.node(),
        opening.keyKind(),
        opening.firstGroup(),
        opening.endGroup(),
        opening.groups(),
        opening.checkpointed(),
        restored);
  }

  static final class HalfRestoredKept implements Planting {
    /** What has been read, also by an attempt that failed at what came behind it. */
    private final Map<String, List<byte[]>> read = new HashMap<>();

    @Override
    public KeyedStateBackend backend() {
      return restoring(opening -> with(opening, new Kept(opening)));
    }

    private final class Kept implements RestoredStates {
      private final KeyedStateBackend.Opening opening;

      Kept(KeyedStateBackend.Opening opening) {
        this.opening = opening;
      }

      @Override
      public List<Window> slices(String state) {
        return opening.restored().slices(state);
      }

      @Override
      public @Nullable StoredState take(String state, @Nullable Window slice) {
        StoredState stored = opening.restored().take(state, slice);
        if (stored == null) {
          return null;
        }
        Iterator<byte[]> chunks = kept(state + slice, stored).iterator();
        return new StoredState(
            stored.schema(), stored.form(), () -> chunks.hasNext() ? chunks.next() : null);
      }

      private List<byte[]> kept(String name, StoredState stored) {
        String key = opening.node() + " " + opening.firstGroup() + " " + name;
        List<byte[]> known = read.get(key);
        if (known != null) {
          return known;
        }
        List<byte[]> all = new ArrayList<>();
        for (byte[] chunk; (chunk = stored.chunks().next()) != null; ) {
          all.add(chunk);
        }
        read.put(key, all);
        return all;
      }
    }
  }

  /** Changes snapshots. */
  private abstract static class Snapshots implements Planting {
    abstract KeyedSnapshot snapshot(TaskStates states);

    @Override
    public KeyedStateBackend backend() {
      return (classes, opening) ->
          new ForwardingStates(new MemoryBackend().open(classes, opening), this::snapshot);
    }
  }

  static final class AliasedSnapshot extends Snapshots {
    @Override
    KeyedSnapshot snapshot(TaskStates states) {
      KeyedSnapshot frozen = states.snapshot();
      List<KeyedSnapshot.Part> parts = frozen.parts();
      frozen.abandon();
      return new KeyedSnapshot() {
        private @Nullable KeyedSnapshot late;

        @Override
        public List<Part> parts() {
          return parts;
        }

        @Override
        public boolean write(int budget, SnapshotOutput output) {
          KeyedSnapshot writing = late;
          if (writing == null) {
            writing = states.snapshot();
            late = writing;
          }
          KeyedSnapshot now = writing;
          return now.write(
              budget,
              (part, chunk) -> {
                for (int i = 0; i < parts.size(); i++) {
                  if (name(parts.get(i)).equals(name(now.parts().get(part)))) {
                    output.write(i, chunk);
                  }
                }
              });
        }

        private String name(Part part) {
          return part.state() + part.slice();
        }

        @Override
        public void confirm() {
          if (late != null) {
            late.confirm();
          }
        }

        @Override
        public void abandon() {
          if (late != null) {
            late.abandon();
          }
        }
      };
    }
  }

  static final class DirtyBitsLost extends Snapshots {
    @Override
    KeyedSnapshot snapshot(TaskStates states) {
      KeyedSnapshot frozen = states.snapshot();
      return new KeyedSnapshot() {
        @Override
        public List<Part> parts() {
          return frozen.parts();
        }

        @Override
        public boolean write(int budget, SnapshotOutput output) {
          return frozen.write(budget, output);
        }

        @Override
        public void confirm() {
          frozen.confirm();
        }

        @Override
        public void abandon() {
          // Where there is no base yet the next would have nothing to build on, and say so.
          boolean based = frozen.parts().stream().noneMatch(p -> p.extent() == Extent.WHOLE);
          if (based) {
            while (!frozen.write(Integer.MAX_VALUE, (part, chunk) -> {})) {
              continue;
            }
            frozen.confirm();
          } else {
            frozen.abandon();
          }
        }
      };
    }
  }

  private static final class ForwardingStates implements TaskStates {
    private final TaskStates states;
    private final Function<TaskStates, KeyedSnapshot> snapshots;

    ForwardingStates(TaskStates states, Function<TaskStates, KeyedSnapshot> snapshots) {
      this.states = states;
      this.snapshots = snapshots;
    }

    @Override
    public KeyedSnapshot snapshot() {
      return snapshots.apply(states);
    }

    @Override
    public <V> KeyedTable<V> table(StateDescriptor<V> state) {
      return states.table(state);
    }

    @Override
    public <V> KeyedTable<V> table(StateDescriptor<V> state, Window slice) {
      return states.table(state, slice);
    }

    @Override
    public ColumnTable columns(ColumnsDescriptor state) {
      return states.columns(state);
    }

    @Override
    public ColumnTable columns(ColumnsDescriptor state, Window slice) {
      return states.columns(state, slice);
    }

    @Override
    public void drop(String state, Window slice) {
      states.drop(state, slice);
    }

    @Override
    public List<Window> restoredSlices(String state) {
      return states.restoredSlices(state);
    }
  }
}
