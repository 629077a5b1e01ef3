package io.streamforge.backend.memory;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnCursor;
import io.streamforge.state.ColumnTable;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A run of longs a key, beside its hash. */
@Specialised
final class MemoryColumnTable extends SlotTable implements ColumnTable, EntryReader.Target<long[]> {
  private final String form;

  MemoryColumnTable(
      KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups, int columns, String form) {
    super(keyKind, firstGroup, endGroup, groups, columns);
    this.form = form;
  }

  @Override
  void allocateValues(int slots) {}

  @Override
  void lengthenValues(int slots) {}

  @Override
  void moveValues(int from, int to, int count) {}

  @Override
  void clearValue(int slot) {}

  @Override
  void clearValues() {}

  @Override
  @Nullable Object values() {
    return null;
  }

  @Override
  void copyValue(@Nullable Object oldValues, int from, int to) {}

  @Override
  EntrySchema schema() {
    return EntrySchema.of(keyKind.serde().schema(), stride - 1, form);
  }

  @Override
  void writeValue(int slot, ByteWriter output) {
    int at = slot * stride;
    for (int i = 1; i < stride; i++) {
      output.writeLong(cells[at + i]);
    }
  }

  @Override
  public void load(Object key, long hash, long[] value) {
    int at = load(key, hash) * stride + 1; // which may replace the cells
    System.arraycopy(value, 0, cells, at, value.length);
  }

  @Override
  public long[] columns() {
    return cells;
  }

  @Override
  public int locate(Object key, long hash) {
    int slot = find(key, hash);
    if (slot < 0) {
      slot = insert(~slot, key, hash);
    } else if (changes != null) {
      changes.changing(slot);
    }
    return slot * stride + 1;
  }

  @Override
  public int seek(Object key, long hash) {
    int slot = find(key, hash);
    return slot < 0 ? -1 : slot * stride + 1;
  }

  @Override
  public void remove(Object key, long hash) {
    int slot = find(key, hash);
    if (slot >= 0) {
      removeAt(slot);
    }
  }

  @Override
  public void purge(int places, IntPredicate expired) {
    for (int i = 0; i < places; i++) {
      int slot = purged();
      if (isUsed(slot) && expired.test(slot * stride + 1)) {
        removeAt(slot);
      } else {
        purgedTo(slot + 1);
      }
    }
  }

  @Override
  public ColumnCursor cursor() {
    return new Cursor();
  }

  private final class Cursor implements ColumnCursor {
    private int slot = -1;

    @Override
    public boolean next() {
      slot = nextUsed(slot);
      return slot >= 0;
    }

    @Override
    public Object key() {
      return keyAt(slot);
    }

    @Override
    public long hash() {
      return hashAt(slot);
    }

    @Override
    public int position() {
      return slot * stride + 1;
    }
  }
}
