package io.streamforge.testkit.simulation;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.SnapshotOutput;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TaskStates;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.CheckpointPart;
import io.streamforge.runtime.task.SavedCommittable;
import io.streamforge.runtime.task.TaskPart;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import io.streamforge.window.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How each {@link PlantedBug} is planted. */
final class Plantings {
  private Plantings() {}

  /** Changes what tasks and writers report. */
  private abstract static class Reports implements Planting {
    final Map<String, CheckpointPart> parts = new LinkedHashMap<>();

    @Override
    public CheckpointPart part(CheckpointPart part) {
      parts.put(part.id(), part);
      return part;
    }

    TaskPart changed(TaskPart part) {
      return part;
    }

    long number(long checkpoint) {
      return checkpoint;
    }

    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      return prepared;
    }

    @Override
    public CheckpointControl control(CheckpointControl control) {
      return new CheckpointControl() {
        @Override
        public void taken(TaskPart part) {
          control.taken(changed(part));
        }

        @Override
        public void written(
            long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
          control.written(number(checkpoint), writer, changed(checkpoint, writer, prepared));
        }

        @Override
        public void committed(long checkpoint, String writer) {
          control.committed(checkpoint, writer);
        }

        @Override
        public void declined(long checkpoint, String part, Throwable cause) {
          control.declined(checkpoint, part, cause);
        }

        @Override
        public void ended(String part) {
          control.ended(part);
        }
      };
    }

    static TaskPart with(
        TaskPart part,
        long checkpoint,
        UnaryOperator<TaskPart.SavedNode> nodes,
        UnaryOperator<Manifest.SplitPart> splits,
        UnaryOperator<TaskPart.SavedWriter> writers) {
      return new TaskPart(
          checkpoint,
          part.task(),
          part.groups(),
          part.nodes().stream().map(nodes).toList(),
          part.source(),
          part.splits().stream().map(splits).toList(),
          part.writers().stream().map(writers).toList());
    }
  }

  static final class CommitBeforePublish extends Reports {
    @Override
    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      CheckpointPart part = parts.get(writer);
      if (part != null && prepared != null) {
        part.published(checkpoint, false);
      }
      return prepared;
    }
  }

  static final class WatermarkNotSaved extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          node -> new TaskPart.SavedNode(node.node(), Timestamps.MIN, node.states()),
          UnaryOperator.identity(),
          UnaryOperator.identity());
    }
  }

  static final class PositionOfFetched extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          UnaryOperator.identity(),
          split ->
              split.finished()
                  ? split
                  : new Manifest.SplitPart(
                      split.id(),
                      split.position() + 1,
                      split.watermarkMillis(),
                      split.idle(),
                      false),
          UnaryOperator.identity());
    }
  }

  static final class PrepareNotCarried extends Reports {
    private final Set<Long> abandoned = new HashSet<>();

    @Override
    public CheckpointPart part(CheckpointPart part) {
      return super.part(
          new ForwardingPart(part) {
            @Override
            public void abandoned(long checkpoint) {
              abandoned.add(checkpoint);
              super.abandoned(checkpoint);
            }
          });
    }

    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          writer ->
              new TaskPart.SavedWriter(writer.id(), writer.node(), notCarried(writer.part())));
    }

    @Override
    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      return prepared == null ? null : notCarried(prepared);
    }

    private Manifest.WriterPart notCarried(Manifest.WriterPart part) {
      return new Manifest.WriterPart(
          part.writer(),
          part.marker(),
          part.committables().stream()
              .filter(blob -> !abandoned.contains(SavedCommittable.read(blob).checkpoint()))
              .toList());
    }
  }

  static final class StaleReport extends Reports {
    private long current;

    @Override
    public CheckpointPart part(CheckpointPart part) {
      return super.part(
          new ForwardingPart(part) {
            @Override
            public void trigger(long checkpoint) {
              current = Math.max(current, checkpoint);
              super.trigger(checkpoint);
            }
          });
    }

    @Override
    long number(long checkpoint) {
      return Math.max(current, checkpoint);
    }

    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          number(part.checkpoint()),
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          UnaryOperator.identity());
    }
  }

  static final class BarrierOvertakes extends Reports {
    @Override
    public CheckpointPart part(CheckpointPart part) {
      super.part(part);
      return new ForwardingPart(part) {
        @Override
        public void trigger(long checkpoint) {
          super.trigger(checkpoint);
          parts.values().forEach(other -> other.trigger(checkpoint));
        }
      };
    }
  }

  private static class ForwardingPart implements CheckpointPart {
    private final CheckpointPart part;

    ForwardingPart(CheckpointPart part) {
      this.part = part;
    }

    @Override
    public String id() {
      return part.id();
    }

    @Override
    public boolean isSource() {
      return part.isSource();
    }

    @Override
    public void trigger(long checkpoint) {
      part.trigger(checkpoint);
    }

    @Override
    public void hold(boolean held) {
      part.hold(held);
    }

    @Override
    public void published(long checkpoint, boolean last) {
      part.published(checkpoint, last);
    }

    @Override
    public void abandoned(long checkpoint) {
      part.abandoned(checkpoint);
    }
  }

  static final class ForgottenGroup implements Planting {
    @Override
    public KeyedStateBackend backend() {
      return (classes, opening) ->
          new MemoryBackend()
              .open(
                  classes,
                  opening.firstGroup() > 0
                      ? opening
                      : new KeyedStateBackend.Opening(
                          opening.node(),
                          opening.keyKind(),
                          opening.firstGroup(),
                          opening.endGroup(),
                          opening.groups(),
                          opening.checkpointed(),
                          new Emptied(opening.restored())));
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

  private static class ForwardingStorage implements CheckpointStorage {
    final CheckpointStorage storage;

    ForwardingStorage(CheckpointStorage storage) {
      this.storage = storage;
    }

    @Override
    public ObjectWriter write(String name) throws IOException {
      return storage.write(name);
    }

    @Override
    public void sync() throws IOException {
      storage.sync();
    }

    @Override
    public boolean createIfAbsent(String name, byte[] content) throws IOException {
      return storage.createIfAbsent(name, content);
    }

    @Override
    public byte[] read(String name, long offset, int length) throws IOException {
      return storage.read(name, offset, length);
    }

    @Override
    public List<StoredObject> list(String folder) throws IOException {
      return storage.list(folder);
    }

    @Override
    public void delete(Collection<String> names) throws IOException {
      storage.delete(names);
    }

    @Override
    public String location() {
      return storage.location();
    }

    @Override
    public void close() throws IOException {
      storage.close();
    }
  }

  static final class PublishBeforeSync implements Planting {
    @Override
    public CheckpointStorage storage(CheckpointStorage storage) {
      return new ForwardingStorage(storage) {
        @Override
        public void sync() {
          // As if that had happened.
        }
      };
    }
  }

  static final class EarlyCleanup implements Planting {
    @Override
    public CheckpointStorage storage(CheckpointStorage storage) {
      return new ForwardingStorage(storage) {
        @Override
        public ObjectWriter write(String name) throws IOException {
          long checkpoint = checkpointOf(name);
          List<String> older = new ArrayList<>();
          for (StoredObject object : list("data")) {
            if (checkpointOf(object.name()) < checkpoint) {
              older.add(object.name());
            }
          }
          delete(older);
          return super.write(name);
        }

        private long checkpointOf(String name) {
          return Long.parseLong(name.split("-", 3)[1]);
        }
      };
    }
  }
}
