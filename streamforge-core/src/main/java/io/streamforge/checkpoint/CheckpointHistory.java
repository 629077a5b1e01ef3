package io.streamforge.checkpoint;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the log of a job says, as it was at one moment: the entries that count, and those that
 * cannot be read. Immutable.
 */
public final class CheckpointHistory {
  /*
   * Which entries count is decided from the newest one down. With f the entry above that counts:
   * positions from f's attempt on belong to that attempt, so another's entry among them is what a
   * process left that had lost; and nothing counts below what the newest published one retains.
   */
  /** How often the log is read anew when it changes while it is read. */
  private static final int MAX_READS = 10;

  private final CheckpointStorage storage;

  /** All entries, readable or not, counting or not; ascending. */
  private final List<Item> items;

  private record Item(
      long position, @Nullable LogEntry entry, @Nullable DamagedObjectException damage) {}

  private final List<Item> counting = new ArrayList<>();
  private final long floor;

  /**
   * A checkpoint that cannot be used.
   *
   * @param position of its entry in the log
   * @param reason a sentence that names what is damaged
   */
  public record Skipped(long position, String reason) {}

  /**
   * The checkpoint to restore.
   *
   * @param checkpoint the newest that can be used; null when the job has none yet
   * @param skipped newer ones that cannot, newest first
   */
  public record Usable(LogEntry.@Nullable Published checkpoint, List<Skipped> skipped) {}

  private CheckpointHistory(CheckpointStorage storage, List<Item> items) {
    this.storage = storage;
    this.items = items;
    long retained = 0;
    LogEntry above = null;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      LogEntry entry = item.entry;
      if (item.position < retained) {
        break;
      }
      if (entry != null && above != null && !fits(entry, above)) {
        continue;
      }
      counting.add(0, item);
      if (entry != null) {
        above = entry;
      }
      if (retained == 0 && entry instanceof LogEntry.Published published) {
        retained = published.oldestRetained();
      }
    }
    floor = retained;
  }

  private static boolean fits(LogEntry entry, LogEntry above) {
    return entry.position() < above.attempt() || entry.attempt() == above.attempt();
  }

  /**
   * Reads the log.
   *
   * @throws io.streamforge.error.StreamForgeException when a newer version wrote to it
   */
  static CheckpointHistory read(CheckpointStorage storage) throws IOException {
    List<Long> positions = positions(storage);
    for (int i = 0; ; i++) {
      List<Item> items = new ArrayList<>();
      boolean damage = false;
      for (long position : positions) {
        try {
          items.add(new Item(position, LogEntryForm.read(storage, position), null));
        } catch (DamagedObjectException e) {
          items.add(new Item(position, null, e));
          damage = true;
        }
      }
      if (!damage || i >= MAX_READS) {
        return new CheckpointHistory(storage, items);
      }
      // What is missing may just have been cleaned up by the process that runs the job.
      List<Long> again = positions(storage);
      if (again.equals(positions)) {
        return new CheckpointHistory(storage, items);
      }
      positions = again;
    }
  }

  /** Positions of all entries that are there, ascending. */
  static List<Long> positions(CheckpointStorage storage) throws IOException {
    List<Long> positions = new ArrayList<>();
    for (StoredObject object : storage.list(LogEntryForm.FOLDER)) {
      long position = LogEntryForm.position(object.name());
      if (position > 0) {
        positions.add(position);
      }
    }
    Collections.sort(positions);
    return positions;
  }

  /** The last position of the log, whether its entry counts or not; 0 when it is empty. */
  public long last() {
    return items.isEmpty() ? 0 : items.get(items.size() - 1).position;
  }

  /** The highest number that an entry which can be read has; 0 when there is none. */
  public long highestNumber() {
    long highest = 0;
    for (Item item : items) {
      highest = item.entry == null ? highest : Math.max(highest, item.entry.number());
    }
    return highest;
  }

  /** Entries that count and can be read, ascending. */
  public List<LogEntry> entries() {
    List<LogEntry> entries = new ArrayList<>();
    for (Item item : counting) {
      if (item.entry != null) {
        entries.add(item.entry);
      }
    }
    return entries;
  }

  /** Checkpoints that count and whose entries can be read, ascending. */
  public List<LogEntry.Published> published() {
    List<LogEntry.Published> published = new ArrayList<>();
    for (LogEntry entry : entries()) {
      if (entry instanceof LogEntry.Published checkpoint) {
        published.add(checkpoint);
      }
    }
    return published;
  }

  /** Entries that should count but are damaged, newest first. */
  public List<Skipped> damaged() {
    List<Skipped> damaged = new ArrayList<>();
    for (Item item : counting) {
      if (item.damage != null) {
        damaged.add(0, new Skipped(item.position, item.damage.summary()));
      }
    }
    return damaged;
  }

  /** Positions that should have an entry that counts and have none at all, ascending. */
  public List<Long> missing() {
    List<Long> missing = new ArrayList<>();
    // Behind a damaged entry that may have retained less nothing is known of the oldest ones.
    boolean floorKnown = true;
    for (Item item : counting) {
      floorKnown = item.damage == null && (floorKnown || item.entry instanceof LogEntry.Published);
    }
    long next = floorKnown ? Math.max(1, floor) : 0;
    for (Item item : items) {
      if (item.position < Math.max(1, floor)) {
        continue;
      }
      for (long position = next == 0 ? item.position : next; position < item.position; position++) {
        missing.add(position);
      }
      next = item.position + 1;
    }
    return missing;
  }

  /**
   * Checkpoints that cannot be used as far as that is known without reading their objects, and
   * entries that may be some, newest first.
   */
  public List<Skipped> unusable() throws IOException {
    Map<String, Long> sizes = sizes();
    List<Skipped> unusable = new ArrayList<>();
    for (Item item : counting) {
      String problem = null;
      if (item.damage != null) {
        problem = item.damage.summary();
      } else if (item.entry instanceof LogEntry.Published checkpoint) {
        problem = problem(checkpoint.manifest(), sizes);
      }
      if (problem != null) {
        unusable.add(0, new Skipped(item.position, problem));
      }
    }
    return unusable;
  }

  /** The first position that counts; 0 when nothing was published. */
  public long oldestRetained() {
    return floor;
  }

  /**
   * The checkpoint and those it descends from, newest first; without what was published in the
   * meantime and given up by restoring an older one.
   */
  List<LogEntry.Published> lineage(long position) {
    List<LogEntry.Published> lineage = new ArrayList<>();
    long next = position;
    List<LogEntry.Published> published = published();
    for (int i = published.size() - 1; i >= 0; i--) {
      LogEntry.Published checkpoint = published.get(i);
      if (checkpoint.position() == next) {
        lineage.add(checkpoint);
        next = checkpoint.parent();
      }
    }
    return lineage;
  }

  /**
   * The newest checkpoint whose objects are all there and as long as they should be. Their content
   * is verified when it is read: whoever finds damage there goes on with {@link #usableBelow}.
   *
   * @throws io.streamforge.error.StreamForgeException when there were checkpoints and none can be
   *     used
   */
  public Usable usable() throws IOException {
    return usableBelow(Long.MAX_VALUE, List.of());
  }

  /**
   * As {@link #usable}, of those below a position.
   *
   * @param skipped those that have been found unusable so far, newest first
   */
  public Usable usableBelow(long position, List<Skipped> skipped) throws IOException {
    List<Skipped> problems = new ArrayList<>(skipped);
    Map<String, Long> sizes = sizes();
    checkNotHalfDeleted(sizes);
    // Beside the lineage are checkpoints that were given up; a damaged entry tells no parent.
    long newestOfLineage = Long.MAX_VALUE;
    boolean any = false;
    for (int i = counting.size() - 1; i >= 0; i--) {
      Item item = counting.get(i);
      if (item.position > newestOfLineage) {
        continue;
      }
      if (item.damage != null) {
        if (item.position < position) {
          problems.add(new Skipped(item.position, item.damage.summary()));
        }
        newestOfLineage = Long.MAX_VALUE;
      } else if (item.entry instanceof LogEntry.Published checkpoint) {
        any = true;
        newestOfLineage = checkpoint.parent();
        if (item.position >= position) {
          continue;
        }
        String problem = problem(checkpoint.manifest(), sizes);
        if (problem == null) {
          return new Usable(checkpoint, List.copyOf(problems));
        }
        problems.add(new Skipped(checkpoint.position(), problem));
      }
    }
    if (any || !problems.isEmpty()) {
      throw CheckpointErrors.noneUsable(
          storage,
          problems.stream().map(s -> "entry " + s.position() + ": " + s.reason()).toList());
    }
    return new Usable(null, List.of());
  }

  private Map<String, Long> sizes() throws IOException {
    Map<String, Long> sizes = new HashMap<>();
    for (StoredObject object : storage.list(DataNames.FOLDER)) {
      sizes.put(object.name(), object.size());
    }
    return sizes;
  }

  /** Clean-up never leaves a log that begins in the middle without a checkpoint in it. */
  private void checkNotHalfDeleted(Map<String, Long> sizes) {
    boolean published =
        items.stream().anyMatch(i -> i.damage != null || i.entry instanceof LogEntry.Published);
    if (!items.isEmpty() && items.get(0).position > 1 && !published) {
      throw CheckpointErrors.halfDeleted(
          storage, "the entries of 'log' before " + items.get(0).position + " are missing");
    }
  }

  private @Nullable String problem(Manifest manifest, Map<String, Long> sizes) {
    Map<String, Long> needed = new TreeMap<>();
    for (Manifest.Piece piece : manifest.pieces()) {
      needed.merge(piece.object(), piece.segment().end(), Math::max);
    }
    for (Map.Entry<String, Long> object : needed.entrySet()) {
      String named = CheckpointErrors.object(storage.location(), object.getKey());
      Long size = sizes.get(object.getKey());
      if (size == null) {
        return named + " is missing";
      }
      if (size < object.getValue()) {
        return named + " has " + size + " bytes, " + object.getValue() + " are needed";
      }
    }
    return null;
  }
}
