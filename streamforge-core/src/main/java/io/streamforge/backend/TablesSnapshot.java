package io.streamforge.backend;

import io.streamforge.serde.ByteWriter;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of a task as they were at one instant. */
public final class TablesSnapshot implements KeyedSnapshot {
  private static final int CHUNK_BYTES = 1 << 16;

  private final Runnable onEnd;
  private final List<Part> parts = new ArrayList<>();

  /** Of each part, its table. */
  private final List<FrozenTable> tables = new ArrayList<>();

  /** Those that are no part, since they are empty. */
  private final List<FrozenTable> absent = new ArrayList<>();

  /** All of them. */
  private final Set<FrozenTable> held = Collections.newSetFromMap(new IdentityHashMap<>());

  private final ByteWriter chunk = new ByteWriter(CHUNK_BYTES);

  private enum Phase {
    WRITING,
    WRITTEN,
    ENDED
  }

  private Phase phase = Phase.WRITING;
  private int writing;

  /**
   * Of nothing yet.
   *
   * @param onEnd called when it has been confirmed or abandoned
   */
  public TablesSnapshot(Runnable onEnd) {
    this.onEnd = onEnd;
  }

  /**
   * Freezes a table.
   *
   * @param entries how many it has, about
   * @param empty whether it has none, and is no part
   */
  public void add(
      String state,
      @Nullable Window slice,
      EntrySchema schema,
      long entries,
      boolean empty,
      FrozenTable table) {
    Extent extent = table.freeze();
    held.add(table);
    if (empty) {
      absent.add(table);
    } else {
      parts.add(new Part(state, slice, schema, Entries.FORM, extent, entries));
      tables.add(table);
    }
  }

  /** Whether the table is part of it, so that it must not serve another slice before the end. */
  public boolean holds(FrozenTable table) {
    return held.contains(table);
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
      FrozenTable of = tables.get(writing);
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

  private void handOn(FrozenTable of, SnapshotOutput output) {
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
    tables.forEach(FrozenTable::confirm);
    absent.forEach(FrozenTable::confirmAbsent);
    end();
  }

  @Override
  public void abandon() {
    if (phase == Phase.ENDED) {
      throw new IllegalStateException("the snapshot has been confirmed or abandoned");
    }
    tables.forEach(FrozenTable::abandon);
    absent.forEach(FrozenTable::abandon);
    end();
  }

  private void end() {
    phase = Phase.ENDED;
    onEnd.run();
  }
}
