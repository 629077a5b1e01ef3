package io.streamforge.backend;

import io.streamforge.record.KeyValue;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store over anything that keeps bytes in order: turns keys and values into bytes and back, and
 * writes and restores snapshots. A subclass keeps the bytes, and is what makes the store
 * thread-safe. Arrays that it takes and gives are not changed by anyone.
 *
 * @param <K> keys
 * @param <V> values
 */
public abstract class SerializedStore<K, V> implements KeyValueStore<K, V> {
  private final Serde<K> keys;
  private final Serde<V> values;
  private final KeyOrder order;

  /**
   * For keys and values of these serdes.
   *
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SERDE_FAILED} when such keys have no order
   */
  protected SerializedStore(Serde<K> keys, Serde<V> values) {
    this.keys = keys;
    this.values = values;
    this.order = KeyOrder.of(keys);
  }

  /**
   * What takes the place of all entries when it is committed, and leaves nothing when it is not.
   */
  public interface Replacement extends AutoCloseable {
    /** Adds an entry, whose key is behind those before. */
    void add(byte[] key, byte[] value);

    /**
     * From now on the store has the added entries, and no others.
     *
     * @throws IllegalStateException when the store is closed
     */
    void commit();

    /** Lets go of what was not committed. */
    @Override
    void close();
  }

  /** Sets the value of a key. */
  protected abstract void putBytes(byte[] key, byte[] value);

  /** The value of a key; null when it has none. */
  protected abstract byte @Nullable [] getBytes(byte[] key);

  /** Removes a key and its value, if it is there. */
  protected abstract void deleteBytes(byte[] key);

  /**
   * The entries as they are now.
   *
   * @param from the first key that may be among them; null: the first of all
   * @param to the key before which they end; null: none
   * @param once whether it is for a call that reads a few of them, not for a snapshot
   */
  protected abstract OrderedEntries entries(
      byte @Nullable [] from, byte @Nullable [] to, boolean once);

  /** Begins to replace all entries. */
  protected abstract Replacement replacement();

  /** The exception of calls after {@link #close}. */
  protected static IllegalStateException closed() {
    return new IllegalStateException("the store is closed");
  }

  @Override
  public final void put(K key, V value) {
    Objects.requireNonNull(value, "a value is null; delete(key) removes one");
    putBytes(ordered(key), bytes(values, value));
  }

  @Override
  public final @Nullable V get(K key) {
    byte[] value = getBytes(ordered(key));
    return value == null ? null : values.read(new ByteReader(value));
  }

  @Override
  public final void delete(K key) {
    deleteBytes(ordered(key));
  }

  @Override
  public final List<KeyValue<K, V>> range(@Nullable K from, @Nullable K to, int limit) {
    return rangeOfBytes(from == null ? null : ordered(from), to, limit);
  }

  @Override
  public final List<KeyValue<K, V>> rangeAfter(K after, @Nullable K to, int limit) {
    byte[] key = ordered(after);
    // Between a string of bytes and the same one with a zero behind there is no other.
    return rangeOfBytes(Arrays.copyOf(key, key.length + 1), to, limit);
  }

  private List<KeyValue<K, V>> rangeOfBytes(byte @Nullable [] from, @Nullable K to, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException(
          "the limit of a range is " + limit + ", expected 1 or more");
    }
    byte[] end = to == null ? null : ordered(to);
    List<KeyValue<K, V>> range = new ArrayList<>();
    try (OrderedEntries entries = entries(from, end, true)) {
      while (range.size() < limit && entries.next()) {
        K key = keys.read(new ByteReader(order.stored(entries.key())));
        range.add(KeyValue.of(key, values.read(new ByteReader(entries.value()))));
      }
    }
    return range;
  }

  @Override
  public final StoreSnapshot snapshot() {
    return new StoreSnapshot(
        new LiveEntries(
            EntrySchema.of(keys.schema(), values.schema()), entries(null, null, false), order));
  }

  @Override
  public final void restore(StoreSnapshot snapshot) {
    snapshot.use(
        entries -> {
          RestoredForm<V> form = RestoredForm.of(entries.schema(), keys, values);
          try (Replacement replacement = replacement()) {
            byte[] last = null;
            while (entries.next()) {
              byte[] key = order.ordered(entries.key());
              if (last != null && Arrays.compareUnsigned(last, key) >= 0) {
                throw SnapshotForm.damaged("its keys are not in order", null);
              }
              last = key;
              replacement.add(key, form.value(entries.value()));
            }
            replacement.commit();
          }
        });
  }

  private byte[] ordered(K key) {
    return order.ordered(bytes(keys, Objects.requireNonNull(key, "a key is null")));
  }

  /** What a serde writes. */
  static <T> byte[] bytes(Serde<T> serde, T value) {
    ByteWriter output = new ByteWriter();
    serde.write(value, output);
    return output.toByteArray();
  }

  /** What a store has, with keys in the form of their serde. */
  private record LiveEntries(EntrySchema schema, OrderedEntries entries, KeyOrder order)
      implements SnapshotEntries {
    @Override
    public void begin() {
      entries.rewind();
    }

    @Override
    public boolean next() {
      return entries.next();
    }

    @Override
    public byte[] key() {
      return order.stored(entries.key());
    }

    @Override
    public byte[] value() {
      return entries.value();
    }

    @Override
    public void close() {
      entries.close();
    }
  }
}
