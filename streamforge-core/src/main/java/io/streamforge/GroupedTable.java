package io.streamforge;

import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.ToLong;
import io.streamforge.graph.Node;
import io.streamforge.graph.Node.TableOperation;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeHint;
import io.streamforge.serde.Serde;
import io.streamforge.serde.TypeRef;
import java.util.Objects;

/**
 * The rows of a table under other keys, of which there may be many for each. An aggregate of them
 * is a table again: when a row changes, what it was is taken back and what it is now added, so only
 * aggregates that {@linkplain Aggregator#subtractable subtract} will do. A key that has no rows any
 * more is deleted.
 *
 * @param <K> keys, which need a deterministic serialised form
 * @param <V> rows
 */
public final class GroupedTable<K, V> {
  private final TopologyBuilder builder;
  private final Port port;

  GroupedTable(TopologyBuilder builder, Port port) {
    this.builder = builder;
    this.port = port;
  }

  private <R> Table<K, R> add(String name, Node.Aggregation aggregation) {
    return new Table<>(
        builder,
        builder.add(new Node.TableNode(name, port, new TableOperation.Aggregate(aggregation))));
  }

  /** How many rows a key has; at least 1. */
  public Table<K, Long> count(String name) {
    return add(name, Aggregations.count());
  }

  /** The sum of longs; fails when it overflows: {@link Aggregates#sum} has the choice. */
  public Table<K, Long> sum(String name, ToLong<? super V> part) {
    return add(name, Aggregations.sum(part));
  }

  /**
   * Any aggregate that subtracts; {@link Aggregates} has some. The accumulator of what is taken
   * back is one that has seen just that row.
   */
  public <R> Table<K, R> aggregate(String name, Aggregator<? super V, ?, ? extends R> aggregator) {
    return add(name, Aggregations.aggregate(aggregator));
  }

  /** States the types, where functions do not tell them, or not precisely enough. */
  public GroupedTable<K, V> typed(Class<K> key, Class<V> row) {
    return hint(TypeHint.ofTypes(key, null), TypeHint.ofTypes(null, row));
  }

  /** As {@link #typed(Class, Class)}, for generic types. */
  public GroupedTable<K, V> typed(TypeRef<K> key, TypeRef<V> row) {
    return hint(TypeHint.ofTypes(key.type(), null), TypeHint.ofTypes(null, row.type()));
  }

  /** States how keys and rows are serialised. The serde of the keys must be deterministic. */
  public GroupedTable<K, V> typed(Serde<K> key, Serde<V> row) {
    return hint(
        TypeHint.ofSerdes(Objects.requireNonNull(key, "key"), null),
        TypeHint.ofSerdes(null, Objects.requireNonNull(row, "row")));
  }

  private GroupedTable<K, V> hint(TypeHint ofKeys, TypeHint ofRows) {
    builder.hint(port, ofKeys);
    builder.hint(port.rows(), ofRows);
    return this;
  }
}
