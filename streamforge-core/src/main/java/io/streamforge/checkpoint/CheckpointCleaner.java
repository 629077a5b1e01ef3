package io.streamforge.checkpoint;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.StoredObject;
import io.streamforge.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what no retained checkpoint needs: old entries of the log, objects that only they named,
 * and what abandoned attempts and creations have left. Not thread-safe.
 *
 * <p>What it deletes does not count any more by an entry that is published and that every later
 * owner of the job reads, so it may be interrupted anywhere, and even a process that has lost the
 * job in the meantime deletes nothing that is needed.
 */
public final class CheckpointCleaner {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointCleaner.class);

  private static final String TEMPORARY = "tmp";

  /**
   * How long something lies there before it is what a creation has left: one that is still on its
   * way, perhaps of a process that is only just starting, may have to be tried again for minutes.
   */
  private static final long LEFT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final LogOwner owner;
  private final Clock clock;
  private final CheckpointStorage storage;

  /** Objects of the retained checkpoints that have been read before. */
  private final TreeMap<Long, Set<String>> objectsOf = new TreeMap<>();

  /** What lies there, and since when as far as this process has seen. */
  private Map<String, Long> sinceNanos = Map.of();

  /**
   * How far a call has got.
   *
   * @param entries number of entries of the log that it has deleted
   * @param objects number of other objects that it has deleted
   * @param more whether there is more to delete
   */
  public record Cleaned(int entries, int objects, boolean more) {}

  /** Cleans up for the owner of a job. */
  public CheckpointCleaner(LogOwner owner, Clock clock) {
    this.owner = owner;
    this.clock = clock;
    this.storage = owner.storage();
  }

  /**
   * Deletes what the newest checkpoint that the owner has published makes superfluous; nothing
   * before it has published one.
   *
   * @param limit objects to delete at most, at least 1
   * @throws io.streamforge.error.StreamForgeException when the owner has lost the job
   */
  public Cleaned clean(int limit) throws IOException {
    LogEntry.Published newest = owner.newest();
    if (newest == null) {
      return new Cleaned(0, 0, false);
    }
    owner.check();
    List<String> entries = new ArrayList<>();
    List<Long> retained = new ArrayList<>();
    for (long position : CheckpointHistory.positions(storage)) {
      if (position < newest.oldestRetained()) {
        entries.add(LogEntryForm.name(position));
      } else {
        retained.add(position);
      }
    }
    boolean more = entries.size() > limit;
    if (more) {
      storage.delete(entries.subList(0, limit));
      return new Cleaned(limit, 0, true);
    }
    storage.delete(entries);
    List<String> objects = new ArrayList<>(left());
    objects.addAll(unreferenced(newest, retained));
    int room = limit - entries.size();
    more = objects.size() > room;
    List<String> now = more ? objects.subList(0, room) : objects;
    storage.delete(now);
    return new Cleaned(entries.size(), now.size(), more);
  }

  private List<String> left() throws IOException {
    long now = clock.monotonicNanos();
    Map<String, Long> found = new HashMap<>();
    List<String> left = new ArrayList<>();
    for (StoredObject object : storage.list(TEMPORARY)) {
      long since = sinceNanos.getOrDefault(object.name(), now);
      found.put(object.name(), since);
      if (now - since >= LEFT_NANOS) {
        left.add(object.name());
      }
    }
    sinceNanos = found;
    return left;
  }

  private List<String> unreferenced(LogEntry.Published newest, List<Long> retained)
      throws IOException {
    // Before the entries are read: what is written meanwhile belongs to a later checkpoint.
    List<StoredObject> all = storage.list(DataNames.FOLDER);
    objectsOf.keySet().retainAll(retained);
    Set<String> referenced = new HashSet<>();
    for (long position : retained) {
      Set<String> objects = objectsOf.get(position);
      if (objects == null) {
        try {
          objects =
              LogEntryForm.read(storage, position) instanceof LogEntry.Published checkpoint
                  ? Set.copyOf(checkpoint.manifest().objects())
                  : Set.of();
        } catch (DamagedObjectException e) {
          LOG.warn(
              "nothing but entries of the log is deleted in {}: what entry {} needs cannot be"
                  + " told, since {}",
              storage.location(),
              position,
              e.summary());
          return List.of();
        }
        objectsOf.put(position, objects);
      }
      referenced.addAll(objects);
    }
    List<String> unreferenced = new ArrayList<>();
    for (StoredObject object : all) {
      if (!referenced.contains(object.name()) && isOver(object.name(), newest)) {
        unreferenced.add(object.name());
      }
    }
    return unreferenced;
  }

  /** Whether no process that may still publish can need it. */
  private static boolean isOver(String name, LogEntry.Published newest) {
    DataNames parsed = DataNames.parse(name);
    return parsed != null
        && (parsed.attempt() < newest.attempt()
            || (parsed.attempt() == newest.attempt() && parsed.checkpoint() <= newest.number()));
  }
}
