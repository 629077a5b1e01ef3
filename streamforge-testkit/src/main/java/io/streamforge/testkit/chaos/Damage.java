package io.streamforge.testkit.chaos;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Segment;
import io.streamforge.storage.file.DirectoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The newest checkpoint in a directory is damaged: an object that the one before it does not need.
 *
 * @param number of that checkpoint
 * @param before the number of the one before
 * @param file the object
 * @param content what it was
 */
record Damage(long number, long before, Path file, byte[] content) {
  /** Cuts an object off or flips a bit of it. */
  static Damage toNewest(Path checkpoints, SplittableRandom random) throws IOException {
    List<LogEntry.Published> published =
        CheckpointLog.openExisting(DirectoryStorage.openExisting(checkpoints)).read().published();
    LogEntry.Published newest = published.get(published.size() - 1);
    LogEntry.Published before =
        published.stream()
            .filter(other -> other.position() == newest.parent())
            .findFirst()
            .orElseThrow(
                () -> new IllegalStateException("checkpoint " + newest.number() + " is the only"));
    List<String> objects = new ArrayList<>(newest.manifest().objects());
    objects.removeAll(before.manifest().objects());
    objects.add(CheckpointLog.entryName(newest.position()));
    String object = objects.get(random.nextInt(objects.size()));
    Path file = checkpoints.resolve(object);
    byte[] content = Files.readAllBytes(file);
    int at = place(newest, object, content.length, random);
    byte[] damaged = Arrays.copyOf(content, random.nextBoolean() ? at : content.length);
    if (damaged.length == content.length) {
      damaged[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    Files.write(file, damaged);
    return new Damage(newest.number(), before.number(), file, content);
  }

  /** A byte that the checkpoint needs: of data only its pieces, of an entry all. */
  private static int place(
      LogEntry.Published checkpoint, String object, int length, SplittableRandom random) {
    List<Segment> segments =
        checkpoint.manifest().pieces().stream()
            .filter(piece -> piece.object().equals(object))
            .map(Manifest.Piece::segment)
            .toList();
    Segment segment =
        segments.isEmpty() ? new Segment(0, length) : segments.get(random.nextInt(segments.size()));
    return Math.toIntExact(segment.offset() + random.nextLong(segment.length()));
  }

  /** What the start of a job says that must not go on from the checkpoint before. */
  String refusal() {
    return "the newest checkpoint that can be used is " + before + ", but sink '";
  }

  /** Puts back what was there. */
  void undo() throws IOException {
    Files.write(file, content);
  }
}
