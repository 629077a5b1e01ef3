package io.streamforge.backend.rocksdb;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One object a key. */
final class RocksObjectTable<V> extends CachedTable
    implements KeyedTable<V>, EntryReader.Target<V> {
  /** What a slot and its objects take besides the value. */
  private static final int OVERHEAD_BYTES = 96;

  /** Objects take more room than what they are written as. */
  private static final int HEAP_FACTOR = 3;

  /** Values that are looked at in turn for their size: one of so many, or fewer of large ones. */
  private static final int SAMPLED = 64;

  private static final int SMOOTHING = 8;

  private final Serde<V> serde;
  private final ByteWriter sample = new ByteWriter();
  private @Nullable Object[] values = new Object[marks.length];
  private double averageBytes;
  private int samples;
  private int untilSample = 1;

  RocksObjectTable(
      RocksStates states, KeyKind<Object> keyKind, boolean checkpointed, Serde<V> serde) {
    super(states, keyKind, checkpointed);
    this.serde = Serdes.delimited(serde);
  }

  @Override
  EntrySchema schema() {
    return EntrySchema.of(keyKind.serde().schema(), serde.schema());
  }

  @Override
  void lengthenValues(int slots) {
    values = Arrays.copyOf(values, slots);
  }

  @Override
  void clearValue(int slot) {
    values[slot] = null;
  }

  @Override
  void beginValue(int slot) {
    values[slot] = null;
  }

  @Override
  void writeValue(int slot, ByteWriter output) {
    int before = output.size();
    serde.write(valueAt(slot), output);
    noteSize(output.size() - before);
  }

  @Override
  void readValue(int slot, ByteReader input) {
    int size = input.remaining();
    values[slot] = serde.read(input);
    noteSize(size);
  }

  @Override
  long entryBytes() {
    return OVERHEAD_BYTES + HEAP_FACTOR * (long) averageBytes;
  }

  private void noteSize(int bytes) {
    // The first ones count fully, so that it does not begin with an average that nothing has.
    samples = Math.min(SMOOTHING, samples + 1);
    averageBytes += (bytes - averageBytes) / samples;
  }

  /** Now and then looks how large values have become. */
  private void sample(int slot) {
    if (--untilSample > 0) {
      return;
    }
    sample.reset();
    writeValue(slot, sample);
    untilSample =
        samples < SMOOTHING
            ? 1
            : (int) Math.max(SAMPLED, Math.min(1 << 20, averageBytes / SAMPLED));
    account();
    states.makeRoom();
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the slot has an entry
  private V valueAt(int slot) {
    return (V) values[slot];
  }

  @Override
  public void load(Object key, long hash, V value) {
    put(key, hash, value);
  }

  @Override
  public @Nullable V get(Object key, long hash) {
    int slot = find(key, hash);
    if (slot < 0) {
      return null;
    }
    sample(slot);
    changing(slot);
    return valueAt(slot);
  }

  @Override
  public @Nullable V read(Object key, long hash) {
    int slot = find(key, hash);
    return slot < 0 ? null : valueAt(slot);
  }

  @Override
  public void put(Object key, long hash, V value) {
    int slot = findToReplace(key, hash);
    values[slot] = value;
    sample(slot);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void purge(int places, Predicate<? super V> expired) {
    purge(places, slot -> expired.test(valueAt(slot)), value -> expired.test(serde.read(value)));
  }

  @Override
  public TableCursor<V> cursor() {
    return new Cursor();
  }

  private final class Cursor extends MergedWalk implements TableCursor<V> {
    @Override
    public V value() {
      byte[] stored = storedValue();
      return stored != null ? serde.read(new ByteReader(stored)) : valueAt(find(key(), hash()));
    }

    @Override
    public V valueToChange() {
      int slot = find(key(), hash());
      changing(slot);
      return valueAt(slot);
    }

    @Override
    public void replace(V value) {
      put(key(), hash(), value);
    }
  }
}
