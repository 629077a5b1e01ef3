package io.streamforge.backend.rocksdb;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.state.ColumnCursor;
import io.streamforge.state.ColumnTable;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** A run of longs a key. */
final class RocksColumnTable extends CachedTable
    implements ColumnTable, EntryReader.Target<long[]> {
  /** What a slot takes besides the longs, and a key that is an object. */
  private static final int OVERHEAD_BYTES = 24;

  private static final int KEY_BYTES = 64;

  /** The slots that are never in use: where the cursor shows what has no slot, and the purge. */
  private static final int CURSORS_SLOT = 0;

  private static final int PURGES_SLOT = 1;

  private final int columns;
  private final String form;
  private long[] cells;

  RocksColumnTable(
      RocksStates states, KeyKind<Object> keyKind, boolean checkpointed, int columns, String form) {
    super(states, keyKind, checkpointed);
    this.columns = columns;
    this.form = form;
    this.cells = new long[Math.multiplyExact(marks.length, columns)];
  }

  @Override
  EntrySchema schema() {
    return EntrySchema.of(keyKind.serde().schema(), columns, form);
  }

  @Override
  void lengthenValues(int slots) {
    cells = Arrays.copyOf(cells, Math.multiplyExact(slots, columns));
  }

  @Override
  void clearValue(int slot) {}

  @Override
  void beginValue(int slot) {
    Arrays.fill(cells, slot * columns, (slot + 1) * columns, 0);
  }

  @Override
  void writeValue(int slot, ByteWriter output) {
    for (int at = slot * columns, end = at + columns; at < end; at++) {
      output.writeLong(cells[at]);
    }
  }

  @Override
  void readValue(int slot, ByteReader input) {
    for (int at = slot * columns, end = at + columns; at < end; at++) {
      cells[at] = input.readLong();
    }
  }

  @Override
  long entryBytes() {
    return OVERHEAD_BYTES + (keyKind.hashIsKey() ? 0 : KEY_BYTES) + (long) Long.BYTES * columns;
  }

  @Override
  public void load(Object key, long hash, long[] value) {
    int slot = findToReplace(key, hash);
    System.arraycopy(value, 0, cells, slot * columns, value.length);
  }

  @Override
  public long[] columns() {
    return cells;
  }

  @Override
  public int locate(Object key, long hash) {
    return findToChange(key, hash) * columns;
  }

  @Override
  public int seek(Object key, long hash) {
    int slot = find(key, hash);
    return slot < 0 ? -1 : slot * columns;
  }

  @Override
  public void purge(int places, IntPredicate expired) {
    purge(
        places,
        slot -> expired.test(slot * columns),
        value -> {
          readValue(PURGES_SLOT, value);
          return expired.test(PURGES_SLOT * columns);
        });
  }

  @Override
  public ColumnCursor cursor() {
    return new Cursor();
  }

  private final class Cursor extends MergedWalk implements ColumnCursor {
    @Override
    public int position() {
      byte[] stored = storedValue();
      if (stored == null) {
        return find(key(), hash()) * columns;
      }
      readValue(CURSORS_SLOT, new ByteReader(stored));
      return CURSORS_SLOT * columns;
    }
  }
}
