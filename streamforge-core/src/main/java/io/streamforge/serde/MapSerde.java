package io.streamforge.serde;

import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map, entry by entry in its own order. What comes back is of one class, whatever was written.
 *
 * @param <M> the declared map type
 */
class MapSerde<K, V, M extends Map<K, V>> implements Serde<M> {
  private final String kind;
  private final Serde<K> keys;
  private final Serde<V> values;
  private final Supplier<? extends Map<K, V>> empty;
  private final boolean ordered;

  /**
   * A serde of maps.
   *
   * @param kind such as {@code map}
   * @param ordered whether equal maps always have the same order
   * @param empty makes a map that is an {@code M}
   */
  MapSerde(
      String kind,
      boolean ordered,
      Serde<K> keys,
      Serde<V> values,
      Supplier<? extends Map<K, V>> empty) {
    this.kind = kind;
    this.keys = FramedSerde.part(keys);
    this.values = FramedSerde.part(values);
    this.empty = empty;
    this.ordered = ordered;
  }

  @Override
  public void write(M value, ByteWriter output) {
    NaturalOrder.check(value);
    boolean nulls = Elements.hasNull(value.keySet()) || Elements.hasNull(value.values());
    Elements.writeHeader(value.size(), nulls, output);
    for (Map.Entry<? extends @Nullable K, ? extends @Nullable V> entry :
        inStoredOrder(value).entrySet()) {
      Elements.<K>writeElement(entry.getKey(), nulls, keys, output);
      Elements.<V>writeElement(entry.getValue(), nulls, values, output);
    }
  }

  /** The entries in the order in which they are written. */
  Map<K, V> inStoredOrder(M value) {
    return value;
  }

  @Override
  public M read(ByteReader input) {
    return read(keys, values, null, null, input);
  }

  /** Reads with other readers of entries; see {@link Elements#readEntries}. */
  @SuppressWarnings("unchecked")
  M read(
      ValueReader<? extends K> keyReader,
      ValueReader<? extends V> valueReader,
      @Nullable Supplier<? extends K> keyOfNull,
      @Nullable Supplier<? extends V> valueOfNull,
      ByteReader input) {
    Map<@Nullable K, @Nullable V> map = (Map<@Nullable K, @Nullable V>) empty.get();
    int entries = Elements.readEntries(map, keyReader, valueReader, keyOfNull, valueOfNull, input);
    if (map.size() != entries) {
      throw ByteReader.malformed("two keys of a map that was stored are one key now");
    }
    return (M) map;
  }

  Serde<K> keys() {
    return keys;
  }

  Serde<V> values() {
    return values;
  }

  @Override
  public Schema.Mapping schema() {
    return new Schema.Mapping(kind, keys.schema(), values.schema());
  }

  @Override
  public boolean deterministic() {
    return ordered && keys.deterministic() && values.deterministic();
  }

  @Override
  public String name() {
    return kind + "<" + keys.name() + ", " + values.name() + ">";
  }

  @Override
  public String toString() {
    return name();
  }
}
