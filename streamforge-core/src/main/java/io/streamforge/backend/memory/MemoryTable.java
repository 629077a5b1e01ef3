package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One object a key. */
@Specialised
final class MemoryTable<V> extends SlotTable implements KeyedTable<V> {
  /** Set by the constructor of what it extends, hence without an initial value here. */
  @SuppressWarnings("NullAway.Init")
  private @Nullable Object[] values;

  MemoryTable(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
    super(keyKind, firstGroup, endGroup, groups, 0);
  }

  @Override
  void allocateValues(int slots) {
    values = new Object[slots];
  }

  @Override
  void lengthenValues(int slots) {
    values = Arrays.copyOf(values, slots);
  }

  @Override
  void moveValues(int from, int to, int count) {
    System.arraycopy(values, from, values, to, count);
  }

  @Override
  void clearValue(int slot) {
    values[slot] = null;
  }

  @Override
  void clearValues() {
    Arrays.fill(values, null);
  }

  @Override
  Object values() {
    return values;
  }

  @Override
  void copyValue(@Nullable Object oldValues, int from, int to) {
    if (oldValues instanceof @Nullable Object[] old) {
      values[to] = old[from];
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V get(Object key, long hash) {
    int slot = find(key, hash);
    return slot < 0 ? null : (V) values[slot];
  }

  @Override
  public void put(Object key, long hash, V value) {
    int slot = find(key, hash);
    if (slot < 0) {
      slot = insert(~slot, key, hash);
    }
    values[slot] = value;
  }

  @Override
  public void remove(Object key, long hash) {
    int slot = find(key, hash);
    if (slot >= 0) {
      removeAt(slot);
    }
  }

  @Override
  public TableCursor<V> cursor() {
    return new Cursor();
  }

  private final class Cursor implements TableCursor<V> {
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
    @SuppressWarnings({"unchecked", "NullAway"}) // the cursor stands on an entry
    public V value() {
      return (V) values[slot];
    }

    @Override
    public void replace(V value) {
      values[slot] = value;
    }
  }
}
