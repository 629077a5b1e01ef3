package io.streamforge.node.state;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.DamagedObjectException;
import io.streamforge.checkpoint.FrameKind;
import io.streamforge.checkpoint.FrameReader;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Segment;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads all that checkpoints need, and finds what is missing or not as it was written. */
public final class Verification {
  private static final String DATA = "data";

  /**
   * Something that is damaged.
   *
   * @param object its name
   * @param what a sentence that names it and says what is wrong
   * @param checkpoints numbers of those that need it; none for an entry of the log
   */
  public record Damage(String object, String what, List<Long> checkpoints) {}

  /**
   * What was read, and what was found.
   *
   * @param entries entries of the log that count and can be read
   * @param checkpoints numbers of the checkpoints that were looked at
   * @param objects objects that they need
   * @param bytes bytes of these that were read
   * @param unneeded objects that no checkpoint needs, which were not read: those of a checkpoint
   *     that is being written, and what waits to be cleaned up
   * @param damages all that is damaged
   */
  public record Report(
      int entries,
      List<Long> checkpoints,
      int objects,
      long bytes,
      int unneeded,
      List<Damage> damages) {}

  /** How far it has got. */
  @FunctionalInterface
  public interface Progress {
    /** After each block. */
    void at(int objects, int ofObjects, long bytes, long ofBytes);
  }

  /** Who needs an object, and which parts of it. */
  private static final class Need {
    final Set<Long> checkpoints = new TreeSet<>();
    final Set<Segment> segments = new HashSet<>();
  }

  private final StoredCheckpoints stored;
  private final CheckpointStorage storage;
  private final @Nullable Long only;
  private final Progress progress;
  private long bytes;

  private Verification(StoredCheckpoints stored, @Nullable Long only, Progress progress) {
    this.stored = stored;
    this.storage = stored.log().storage();
    this.only = only;
    this.progress = progress;
  }

  /**
   * Verifies checkpoints.
   *
   * @param only number of the one; null: all that are retained
   */
  public static Report run(StoredCheckpoints stored, @Nullable Long only, Progress progress)
      throws IOException {
    return new Verification(stored, only, progress).run();
  }

  private Report run() throws IOException {
    CheckpointHistory history = stored.history();
    Map<String, Long> sizes = new HashMap<>();
    for (StoredObject object : storage.list(DATA)) {
      sizes.put(object.name(), object.size());
    }
    Map<String, Need> all = needs(history, null);
    Map<String, Need> needs = only == null ? all : needs(history, only);
    List<Damage> damages = new ArrayList<>(read(needs, sizes));
    if (!damages.isEmpty()) {
      // A running job may have cleaned up what was read.
      history = stored.refresh();
      Set<String> still = needs(history, only).keySet();
      damages.removeIf(damage -> !still.contains(damage.object()));
    }
    damages.addAll(0, ofEntries(history));
    sizes.keySet().removeAll(all.keySet());
    return new Report(
        history.entries().size(),
        numbers(history),
        needs.size(),
        bytes,
        sizes.size(),
        List.copyOf(damages));
  }

  private List<Long> numbers(CheckpointHistory history) {
    return history.published().stream()
        .map(LogEntry.Published::number)
        .filter(number -> only == null || only.equals(number))
        .toList();
  }

  private static List<Damage> ofEntries(CheckpointHistory history) {
    List<Damage> damages = new ArrayList<>();
    for (long position : history.missing()) {
      String name = CheckpointLog.entryName(position);
      damages.add(
          new Damage(
              name, "entry " + position + " of the log, '" + name + "', is missing", List.of()));
    }
    for (CheckpointHistory.Skipped damaged : history.damaged()) {
      damages.add(
          new Damage(CheckpointLog.entryName(damaged.position()), damaged.reason(), List.of()));
    }
    return damages;
  }

  private static Map<String, Need> needs(CheckpointHistory history, @Nullable Long only) {
    Map<String, Need> needs = new TreeMap<>();
    for (LogEntry.Published checkpoint : history.published()) {
      if (only != null && only != checkpoint.number()) {
        continue;
      }
      for (Manifest.Piece piece : checkpoint.manifest().pieces()) {
        Need need = needs.computeIfAbsent(piece.object(), o -> new Need());
        need.checkpoints.add(checkpoint.number());
        need.segments.add(piece.segment());
      }
    }
    return needs;
  }

  private List<Damage> read(Map<String, Need> needs, Map<String, Long> sizes) {
    long ofBytes = needs.keySet().stream().mapToLong(name -> sizes.getOrDefault(name, 0L)).sum();
    List<Damage> damages = new ArrayList<>();
    int done = 0;
    for (Map.Entry<String, Need> object : needs.entrySet()) {
      String what = problem(object.getKey(), object.getValue(), done, needs.size(), ofBytes);
      if (what != null) {
        damages.add(new Damage(object.getKey(), what, List.copyOf(object.getValue().checkpoints)));
      }
      done++;
    }
    return damages;
  }

  /** What is wrong with an object; null: nothing. */
  private @Nullable String problem(
      String object, Need need, int done, int ofObjects, long ofBytes) {
    try {
      FrameReader reader = FrameReader.whole(storage, object, FrameKind.DATA);
      Set<Long> boundaries = new HashSet<>();
      long before = bytes;
      do {
        boundaries.add(reader.position());
        bytes = before + reader.position();
        progress.at(done, ofObjects, bytes, ofBytes);
      } while (reader.next() != null);
      bytes = before + reader.position();
      for (Segment segment : need.segments) {
        boolean blocks =
            boundaries.contains(segment.offset()) && boundaries.contains(segment.end());
        if (segment.length() > 0 && !blocks) {
          return named(object)
              + " has no blocks from byte "
              + segment.offset()
              + " to "
              + segment.end()
              + ", where a checkpoint has some";
        }
      }
      return null;
    } catch (DamagedObjectException e) {
      return e.summary();
    } catch (IOException e) {
      return named(object) + " cannot be read: " + e;
    }
  }

  private String named(String object) {
    return "the object '" + object + "' in " + storage.location();
  }
}
