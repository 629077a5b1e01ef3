package io.streamforge.backend.memory;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One object a key. */
@Specialised
final class MemoryTable<V> extends SlotTable implements KeyedTable<V>, EntryReader.Target<V> {
  /** Null where values are not written. */
  private final @Nullable Serde<V> serde;

  /** Set by the constructor of what it extends, hence without an initial value here. */
  @SuppressWarnings("NullAway.Init")
  private @Nullable Object[] values;

  MemoryTable(
      KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups, @Nullable Serde<V> serde) {
    super(keyKind, firstGroup, endGroup, groups, 0);
    this.serde = serde == null ? null : Serdes.delimited(serde);
  }

  private Serde<V> serde() {
    if (serde == null) {
      throw new IllegalStateException("derived state is not written");
    }
    return serde;
  }

  @Override
  EntrySchema schema() {
    return EntrySchema.of(keyKind.serde().schema(), serde().schema());
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the slot is in use
  void writeValue(int slot, ByteWriter output) {
    serde().write((V) values[slot], output);
  }

  @Override
  public void load(Object key, long hash, V value) {
    int slot = load(key, hash); // which may replace the values
    values[slot] = value;
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
    if (slot < 0) {
      return null;
    }
    if (changes != null) {
      changes.changing(slot);
    }
    return (V) values[slot];
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V read(Object key, long hash) {
    int slot = find(key, hash);
    return slot < 0 ? null : (V) values[slot];
  }

  @Override
  public void put(Object key, long hash, V value) {
    int slot = find(key, hash);
    if (slot < 0) {
      slot = insert(~slot, key, hash);
    } else if (changes != null) {
      changes.changing(slot);
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
  @SuppressWarnings({"unchecked", "NullAway"}) // a used slot has a value
  public void purge(int places, Predicate<? super V> expired) {
    for (int i = 0; i < places; i++) {
      int slot = purged();
      if (isUsed(slot) && expired.test((V) values[slot])) {
        removeAt(slot);
      } else {
        purgedTo(slot + 1);
      }
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
    public V valueToChange() {
      if (changes != null) {
        changes.changing(slot);
      }
      return value();
    }

    @Override
    public void replace(V value) {
      if (changes != null) {
        changes.changing(slot);
      }
      values[slot] = value;
    }
  }
}
