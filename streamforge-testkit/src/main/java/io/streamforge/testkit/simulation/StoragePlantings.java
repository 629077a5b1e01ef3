package io.streamforge.testkit.simulation;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.StoredObject;
import io.streamforge.testkit.storage.ForwardingStorage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Mistakes in how storage is used. */
final class StoragePlantings {
  private static final String LOG = "log";

  private StoragePlantings() {}

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

  static final class NoListAfterCreate implements Planting {
    @Override
    public CheckpointStorage storage(CheckpointStorage storage) {
      return new ForwardingStorage(storage) {
        /** The newest entry of the process; empty before it has any. */
        private String own = "";

        @Override
        public boolean createIfAbsent(String name, byte[] content) throws IOException {
          boolean created = super.createIfAbsent(name, content);
          if (created && name.startsWith(LOG)) {
            own = name;
          }
          return created;
        }

        @Override
        public List<StoredObject> list(String folder) throws IOException {
          return super.list(folder).stream()
              .filter(object -> own.isEmpty() || !isEntryAboveOwn(object.name()))
              .toList();
        }

        private boolean isEntryAboveOwn(String name) {
          return name.startsWith(LOG) && name.compareTo(own) > 0;
        }
      };
    }
  }

  static final class EarlyCleanup implements Planting {
    @Override
    public CheckpointStorage storage(CheckpointStorage storage) {
      return new ForwardingStorage(storage) {
        @Override
        public boolean createIfAbsent(String name, byte[] content) throws IOException {
          if (name.startsWith(LOG)) {
            delete(superfluousAfter(name, content));
          }
          return super.createIfAbsent(name, content);
        }

        /** What the newest checkpoint would not need if the log had this entry. */
        private Set<String> superfluousAfter(String name, byte[] content) throws IOException {
          List<LogEntry> entries =
              CheckpointLog.openExisting(new WithEntry(storage, name, content)).read().entries();
          Set<String> superfluous = new TreeSet<>();
          if (!entries.isEmpty()
              && entries.get(entries.size() - 1) instanceof LogEntry.Published next) {
            for (LogEntry entry : entries) {
              if (entry instanceof LogEntry.Published older) {
                superfluous.addAll(older.manifest().objects());
              }
            }
            superfluous.removeAll(next.manifest().objects());
          }
          return superfluous;
        }
      };
    }
  }

  /** A storage as if it had one more entry of the log. */
  private static final class WithEntry extends ForwardingStorage {
    private final String name;
    private final byte[] content;

    WithEntry(CheckpointStorage storage, String name, byte[] content) {
      super(storage);
      this.name = name;
      this.content = content;
    }

    @Override
    public byte[] read(String object, long offset, int length) throws IOException {
      if (!object.equals(name)) {
        return super.read(object, offset, length);
      }
      int from = (int) Math.min(offset, content.length);
      return Arrays.copyOfRange(content, from, Math.min(content.length, from + length));
    }

    @Override
    public List<StoredObject> list(String folder) throws IOException {
      List<StoredObject> objects = new ArrayList<>(super.list(folder));
      objects.removeIf(object -> object.name().equals(name));
      if (name.startsWith(folder)) {
        objects.add(new StoredObject(name, content.length));
      }
      return objects;
    }
  }
}
