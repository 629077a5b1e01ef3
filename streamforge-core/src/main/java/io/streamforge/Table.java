package io.streamforge;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.Node.TableOperation;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeHint;
import io.streamforge.serde.Serde;
import io.streamforge.serde.TypeRef;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * For each key at most one row, which updates replace and null deletes. A table is what it is at
 * each moment: what is derived of it is kept up to date.
 *
 * <p>The functions must be pure: each is applied to a row once more when that is replaced. One that
 * returns null says that there is no row.
 *
 * @param <K> keys
 * @param <V> rows; never null
 */
public final class Table<K, V> {
  private final TopologyBuilder builder;

  /** Carries changes. */
  private final Port port;

  Table(TopologyBuilder builder, Port port) {
    this.builder = builder;
    this.port = port;
  }

  private Port add(String name, TableOperation operation) {
    return builder.add(new Node.TableNode(name, port, operation));
  }

  /** The rows that pass. */
  public Table<K, V> filter(String name, Predicate<? super K, ? super V> predicate) {
    Objects.requireNonNull(predicate, "predicate");
    return new Table<>(builder, add(name, new TableOperation.Filter(predicate, false)));
  }

  /** The rows that do not pass. */
  public Table<K, V> filterNot(String name, Predicate<? super K, ? super V> predicate) {
    Objects.requireNonNull(predicate, "predicate");
    return new Table<>(builder, add(name, new TableOperation.Filter(predicate, true)));
  }

  /** Makes one row of one; the key stays. */
  public <V2> Table<K, V2> mapValues(
      String name, ValueMapper<? super V, ? extends @Nullable V2> mapper) {
    Objects.requireNonNull(mapper, "mapper");
    return new Table<>(builder, add(name, new TableOperation.MapValues(mapper, null)));
  }

  /** Makes one row of a key and a row; the key stays. */
  public <V2> Table<K, V2> mapValuesWithKey(
      String name, KeyValueMapper<? super K, ? super V, ? extends @Nullable V2> mapper) {
    Objects.requireNonNull(mapper, "mapper");
    return new Table<>(builder, add(name, new TableOperation.MapValues(null, mapper)));
  }

  /**
   * What the table has after each change of a row, at the time of the update; null where the row
   * has been deleted. Updates that came behind newer ones, and deletions of what was not there,
   * emit nothing.
   */
  public Stream<K, V> toStream(String name) {
    return new Stream<>(builder, add(name, new TableOperation.ToStream()));
  }

  /** Gives each row a key and brings all rows of a key together, for an aggregate. */
  public <K2> GroupedTable<K2, V> groupBy(
      String name, KeyValueMapper<? super K, ? super V, ? extends K2> selector) {
    Objects.requireNonNull(selector, "selector");
    return new GroupedTable<>(builder, add(name, new TableOperation.GroupBy(selector)));
  }

  /** Joins the rows of this table, the left, with those of another one that have the same key. */
  public <W> TableJoin<K, V, W> joinWith(Table<K, W> right) {
    Objects.requireNonNull(right, "right");
    return new TableJoin<>(builder, port, right.builder, right.port);
  }

  TopologyBuilder builder() {
    return builder;
  }

  Port port() {
    return port;
  }

  /** States the types, where functions do not tell them, or not precisely enough. */
  public Table<K, V> typed(Class<K> key, Class<V> row) {
    return hint(TypeHint.ofTypes(key, null), TypeHint.ofTypes(null, row));
  }

  /** As {@link #typed(Class, Class)}, for generic types. */
  public Table<K, V> typed(TypeRef<K> key, TypeRef<V> row) {
    return hint(TypeHint.ofTypes(key.type(), null), TypeHint.ofTypes(null, row.type()));
  }

  /** States how keys and rows are serialised. The serde of the keys must be deterministic. */
  public Table<K, V> typed(Serde<K> key, Serde<V> row) {
    return hint(
        TypeHint.ofSerdes(Objects.requireNonNull(key, "key"), null),
        TypeHint.ofSerdes(null, Objects.requireNonNull(row, "row")));
  }

  private Table<K, V> hint(TypeHint ofKeys, TypeHint ofRows) {
    builder.hint(port, ofKeys);
    builder.hint(port.rows(), ofRows);
    return this;
  }
}
