package io.streamforge.testkit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.Blob;
import io.streamforge.checkpoint.CheckpointCleaner;
import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.DamagedObjectException;
import io.streamforge.checkpoint.FrameKind;
import io.streamforge.checkpoint.FrameReader;
import io.streamforge.checkpoint.FrameWriter;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Manifest.Chain;
import io.streamforge.checkpoint.Manifest.GroupRange;
import io.streamforge.checkpoint.Manifest.NodePart;
import io.streamforge.checkpoint.Manifest.Piece;
import io.streamforge.checkpoint.Manifest.SplitPart;
import io.streamforge.checkpoint.Manifest.StatePart;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.testkit.VirtualClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A process that takes a job over, restores it, and makes checkpoints as the coordinator does. What
 * it is told by the storage it notes down in a {@link Ledger}.
 */
final class ModelProcess {
  private static final int GROUPS = 16;

  /** What processes have been told and have done, for the test to compare with what is there. */
  static final class Ledger {
    /** Parents of all entries that anybody was told are published. */
    final TreeMap<Long, Long> parents = new TreeMap<>();

    /** Checkpoints that somebody has acted on: sinks have shown what belongs to them. */
    final TreeSet<Long> acted = new TreeSet<>();

    /** Numbers of published checkpoints by position. */
    final Map<Long, Long> numbers = new TreeMap<>();

    synchronized void acted(LogEntry.Published checkpoint) {
      parents.put(checkpoint.position(), checkpoint.parent());
      numbers.put(checkpoint.position(), checkpoint.number());
      acted.add(checkpoint.position());
    }

    /** Whatever was acted on led to the checkpoint that is restored. */
    synchronized void checkRestored(LogEntry.Published newest, String what) {
      parents.put(newest.position(), newest.parent());
      assertThat(lineage(newest.position())).as(what).containsAll(acted);
    }

    /** All that led to a checkpoint, and itself. */
    synchronized TreeSet<Long> lineage(long position) {
      TreeSet<Long> lineage = new TreeSet<>();
      for (long at = position; at != 0; at = parents.getOrDefault(at, 0L)) {
        lineage.add(at);
      }
      return lineage;
    }
  }

  private final CheckpointStorage storage;
  private final Ledger ledger;
  private final LogOwner owner;
  private final CheckpointCleaner cleaner;
  private final LogEntry.Published restored;
  private List<Piece> pieces = List.of();
  private int objects;

  /** Takes the job over and restores it. */
  ModelProcess(CheckpointStorage storage, Ledger ledger, long token, int retained)
      throws IOException {
    this.storage = storage;
    this.ledger = ledger;
    CheckpointLog log = CheckpointLog.open(storage, "job");
    owner = log.claim(token, "process " + token, retained, 0);
    CheckpointHistory.Usable usable = owner.usableBelow(Long.MAX_VALUE, List.of());
    assertThat(usable.skipped()).isEmpty();
    restored = usable.checkpoint();
    if (restored != null) {
      try {
        verify(storage, restored.manifest());
      } catch (DamagedObjectException e) {
        owner.check();
        throw e;
      }
      pieces = restored.manifest().nodes().get(0).states().get(0).chains().get(0).pieces();
      ledger.acted(restored);
    }
    owner.begin(restored == null ? 0 : restored.position(), 0);
    cleaner = new CheckpointCleaner(owner, new VirtualClock(0));
  }

  LogEntry.Published restored() {
    return restored;
  }

  LogOwner owner() {
    return owner;
  }

  /** A base now and then, and what has changed since. */
  void checkpoint(int cleanLimit) throws IOException {
    List<Piece> next = new ArrayList<>();
    if (owner.nextNumber() % 3 != 0) {
      next.addAll(pieces);
    }
    LogEntry standing;
    try {
      next.add(write());
      // As at run time: the clean-up behind a checkpoint runs while the next one is written.
      if (owner.nextNumber() % 2 == 0) {
        clean(cleanLimit);
      }
      write();
      storage.sync();
      standing = publish(manifest(next));
    } catch (IOException e) {
      standing = abort();
    }
    if (standing instanceof LogEntry.Published checkpoint) {
      ledger.acted(checkpoint);
      pieces = checkpoint.manifest().nodes().get(0).states().get(0).chains().get(0).pieces();
      clean(cleanLimit);
    }
  }

  private LogEntry publish(Manifest manifest) throws IOException {
    try {
      return owner.publish(manifest, 0);
    } catch (IOException e) {
      return owner.publish(manifest, 0);
    }
  }

  private LogEntry abort() throws IOException {
    try {
      return owner.abort("a test", 0);
    } catch (IOException e) {
      return owner.abort("a test", 0);
    }
  }

  private void clean(int limit) {
    try {
      cleaner.clean(limit);
    } catch (IOException e) {
      // The next one does it.
      return;
    }
  }

  private Piece write() throws IOException {
    String name = owner.dataName(owner.nextNumber(), "t0-" + objects++);
    byte[] content = content(name);
    try (FrameWriter writer = new FrameWriter(storage.write(name), name, FrameKind.DATA)) {
      writer.write(content, 0, content.length);
      Piece piece = new Piece(name, writer.endSegment());
      writer.finish();
      return piece;
    }
  }

  private static byte[] content(String name) {
    byte[] content = new byte[40];
    new Random(name.hashCode()).nextBytes(content);
    return content;
  }

  private Manifest manifest(List<Piece> all) {
    StatePart state =
        new StatePart(
            "count", null, Blob.of(), "model", List.of(new Chain(new GroupRange(0, GROUPS), all)));
    NodePart node =
        new NodePart(
            "node",
            List.of(state),
            List.of(),
            List.of(new SplitPart("a", owner.nextNumber(), 0, false, false)),
            List.of(),
            List.of(),
            List.of());
    return new Manifest(GROUPS, 0, List.of(node));
  }

  /** The history of the job, of which all that is retained can be read. */
  static CheckpointHistory verified(CheckpointStorage storage) throws IOException {
    CheckpointHistory history = CheckpointLog.open(storage, "job").read();
    for (LogEntry.Published checkpoint : history.published()) {
      verify(storage, checkpoint.manifest());
    }
    return history;
  }

  /** Reads every object of a checkpoint and compares it with what was written. */
  static void verify(CheckpointStorage storage, Manifest manifest) throws IOException {
    for (Piece piece : manifest.pieces()) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      FrameReader reader = FrameReader.whole(storage, piece.object(), FrameKind.DATA);
      byte[] block;
      while ((block = reader.next()) != null) {
        all.writeBytes(block);
      }
      assertThat(all.toByteArray()).as(piece.object()).isEqualTo(content(piece.object()));
    }
  }
}
