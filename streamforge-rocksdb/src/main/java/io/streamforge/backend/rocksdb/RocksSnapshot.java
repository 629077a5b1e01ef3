package io.streamforge.backend.rocksdb;

import io.streamforge.backend.Entries;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.SnapshotOutput;
import io.streamforge.serde.ByteWriter;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables of a task as they were at one instant. */
final class RocksSnapshot implements KeyedSnapshot {
  private static final int CHUNK_BYTES = 1 << 16;

  private final Runnable onEnd;
  private final List<Part> parts = new ArrayList<>();

  /** Of each part, what keeps track of its table. */
  private final List<TableChanges> changes = new ArrayList<>();

  /** Of tables that are no part, since they are empty. */
  private final List<TableChanges> absent = new ArrayList<>();

  private final ByteWriter chunk = new ByteWriter(CHUNK_BYTES);

  private enum Phase {
    WRITING,
    WRITTEN,
    ENDED
  }

  private Phase phase = Phase.WRITING;
  private int writing;

  /** Of nothing yet. */
  RocksSnapshot(Runnable onEnd) {
    this.onEnd = onEnd;
  }

  /** Freezes a table. */
  void add(String state, @Nullable Window slice, CachedTable table) {
    TableChanges of = table.changes;
    if (of == null) {
      return;
    }
    boolean empty = !table.mayHaveEntries();
    Extent extent = of.freeze();
    if (empty) {
      absent.add(of);
    } else {
      parts.add(new Part(state, slice, table.schema(), Entries.FORM, extent, table.entries()));
      changes.add(of);
    }
  }

  @Override
  public List<Part> parts() {
    return List.copyOf(parts);
  }

  @Override
  public boolean write(int budget, SnapshotOutput output) {
    if (phase == Phase.ENDED) {
      throw new IllegalStateException("the snapshot has been confirmed or abandoned");
    }
    int left = budget;
    while (writing < parts.size()) {
      TableChanges of = changes.get(writing);
      left = of.write(left, CHUNK_BYTES, chunk);
      if (left >= 0 || chunk.size() >= CHUNK_BYTES) {
        handOn(of, output);
      }
      if (left < 0) {
        return false;
      }
      writing++;
      if (--left <= 0 && writing < parts.size()) {
        return false;
      }
    }
    phase = Phase.WRITTEN;
    return true;
  }

  private void handOn(TableChanges of, SnapshotOutput output) {
    if (chunk.size() > 0) {
      of.written(chunk.size());
      output.write(writing, chunk.toByteArray());
      chunk.reset();
    }
  }

  @Override
  public void confirm() {
    if (phase != Phase.WRITTEN) {
      throw new IllegalStateException("confirmed while " + phase);
    }
    changes.forEach(TableChanges::confirm);
    absent.forEach(TableChanges::confirmAbsent);
    end();
  }

  @Override
  public void abandon() {
    if (phase == Phase.ENDED) {
      throw new IllegalStateException("the snapshot has been confirmed or abandoned");
    }
    changes.forEach(TableChanges::abandon);
    absent.forEach(TableChanges::abandon);
    end();
  }

  private void end() {
    phase = Phase.ENDED;
    onEnd.run();
  }
}
