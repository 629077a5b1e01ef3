package io.streamforge.backend.memory;

import io.streamforge.backend.Entries;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.SnapshotOutput;
import io.streamforge.serde.ByteWriter;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of a task as they were at one instant. */
@Specialised
final class MemorySnapshot implements KeyedSnapshot {
  private static final int CHUNK_BYTES = 1 << 16;

  private final Runnable onEnd;
  private final List<Part> parts = new ArrayList<>();

  /** Of each part, what keeps track of its table. */
  private final List<Changes> changes = new ArrayList<>();

  /** All of them. */
  private final Set<SlotTable> tables = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of tables that are no part, since they are empty. */
  private final List<Changes> absent = new ArrayList<>();

  private final ByteWriter chunk = new ByteWriter(CHUNK_BYTES);

  private enum Phase {
    WRITING,
    WRITTEN,
    ENDED
  }

  private Phase phase = Phase.WRITING;
  private int writing;
  private boolean begun;

  /** Of nothing yet. */
  MemorySnapshot(Runnable onEnd) {
    this.onEnd = onEnd;
  }

  /** Freezes a table. */
  void add(String state, @Nullable Window slice, SlotTable table) {
    Changes of = table.changes;
    if (of == null) {
      return;
    }
    int count = of.freeze();
    if (table.size() == 0) {
      absent.add(of);
      tables.add(table);
      return;
    }
    Extent extent = of.whole() ? Extent.WHOLE : count > 0 ? Extent.CHANGES : Extent.NOTHING;
    parts.add(new Part(state, slice, table.schema(), Entries.FORM, extent, table.size()));
    changes.add(of);
    tables.add(table);
  }

  /** Whether the table is part of it, so that it must not serve another slice before the end. */
  boolean holds(SlotTable table) {
    return tables.contains(table);
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
      Changes of = changes.get(writing);
      if (!begun) {
        begun = true;
        of.writeRemoved(chunk);
      }
      left = of.write(left, CHUNK_BYTES, chunk);
      if (left >= 0 || chunk.size() >= CHUNK_BYTES) {
        handOn(of, output);
      }
      if (left < 0) {
        return false;
      }
      writing++;
      begun = false;
      if (--left <= 0 && writing < parts.size()) {
        return false;
      }
    }
    phase = Phase.WRITTEN;
    return true;
  }

  private void handOn(Changes of, SnapshotOutput output) {
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
    changes.forEach(Changes::confirm);
    absent.forEach(Changes::confirmAbsent);
    end();
  }

  @Override
  public void abandon() {
    if (phase == Phase.ENDED) {
      throw new IllegalStateException("the snapshot has been confirmed or abandoned");
    }
    changes.forEach(Changes::abandon);
    absent.forEach(Changes::abandon);
    end();
  }

  private void end() {
    phase = Phase.ENDED;
    onEnd.run();
  }
}
