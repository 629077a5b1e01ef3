package io.streamforge;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.ProcessorSupplier;
import io.streamforge.function.Reducer;
import io.streamforge.function.ToDouble;
import io.streamforge.function.ToLong;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeHint;
import io.streamforge.serde.Serde;
import io.streamforge.serde.TypeRef;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Objects;

/**
 * A stream of which all records of a key are together. An aggregate of it emits an update at every
 * record; over {@link #window} it emits once a window.
 *
 * @param <K> keys, which need a deterministic serialised form
 * @param <V> values
 */
public final class KeyedStream<K, V> {
  private final TopologyBuilder builder;
  private final Port port;

  KeyedStream(TopologyBuilder builder, Port port) {
    this.builder = builder;
    this.port = port;
  }

  private <R> Stream<K, R> add(String name, Node.Aggregation aggregation) {
    return new Stream<>(builder, builder.add(new Node.AggregateNode(name, port, aggregation)));
  }

  /** How many records of a key there have been. */
  public Stream<K, Long> count(String name) {
    return add(name, Aggregations.count());
  }

  /** The sum of longs; fails when it overflows: {@link Aggregates#sum} has the choice. */
  public Stream<K, Long> sum(String name, ToLong<? super V> part) {
    return add(name, Aggregations.sum(part));
  }

  /** The sum of doubles; see {@link Aggregates#sumDouble}. */
  public Stream<K, Double> sumDouble(String name, ToDouble<? super V> part) {
    return add(name, Aggregations.sumDouble(part));
  }

  /** The smallest; see {@link Aggregates#min}. */
  public <C extends Comparable<? super C>> Stream<K, C> min(
      String name, ValueMapper<? super V, ? extends C> part) {
    return add(name, Aggregations.min(part));
  }

  /** The largest; see {@link Aggregates#max}. */
  public <C extends Comparable<? super C>> Stream<K, C> max(
      String name, ValueMapper<? super V, ? extends C> part) {
    return add(name, Aggregations.max(part));
  }

  /** The mean of doubles; see {@link Aggregates#average}. */
  public Stream<K, Double> average(String name, ToDouble<? super V> part) {
    return add(name, Aggregations.average(part));
  }

  /** The first value, combined with each that follows. */
  public Stream<K, V> reduce(String name, Reducer<V> reducer) {
    return add(name, Aggregations.reduce(reducer));
  }

  /** Any aggregate; {@link Aggregates} has some, and composes several into one pass. */
  public <R> Stream<K, R> aggregate(String name, Aggregator<? super V, ?, ? extends R> aggregator) {
    return add(name, Aggregations.aggregate(aggregator));
  }

  /** A function with state and timers of its own for each key. */
  public <K2, V2> Stream<K2, V2> process(String name, ProcessorSupplier<K, V, K2, V2> supplier) {
    return new Stream<>(
        builder,
        builder.add(
            new Node.ProcessNode(name, port, Objects.requireNonNull(supplier, "supplier"))));
  }

  /** Cuts the records of each key into windows of event time. */
  public WindowedStream<K, V> window(Windows windows) {
    return new WindowedStream<>(
        builder, port, Node.Windowing.of(Objects.requireNonNull(windows, "windows")));
  }

  /**
   * Joins the rows of this stream, the left, with those of another one that have the same key.
   * Where both are keyed alike already, nothing is exchanged again.
   */
  public <W> StreamJoin<K, V, W> joinWith(KeyedStream<K, W> right) {
    Objects.requireNonNull(right, "right");
    return StreamJoin.of(builder, port, right.builder, right.port);
  }

  /**
   * What becomes of records that the node rejects which this stream comes from; see {@link
   * TopologyBuilder#onError(String, ErrorPolicy)}.
   */
  public KeyedStream<K, V> onError(ErrorPolicy policy) {
    builder.onError(port.node(), policy);
    return this;
  }

  /**
   * Joins the records of this stream with the rows of a table that have their key. Where the stream
   * is keyed already, nothing is exchanged again.
   */
  public <W> StreamTableJoin<K, V, W> joinWith(Table<K, W> table) {
    Objects.requireNonNull(table, "table");
    return StreamTableJoin.of(builder, port, table);
  }

  /**
   * The latest value of each key, as {@link #toTable(String, Duration)} without allowed lateness.
   */
  public Table<K, V> toTable(String name) {
    return toTable(name, Duration.ZERO);
  }

  /**
   * The latest value of each key; null deletes it. An update is newer when its timestamp is at
   * least that of the row that is there; where a source has no event time, when it comes later.
   *
   * <p>That a key was deleted is known until the watermark has passed that by the allowed lateness.
   * An update of a key that has no row by then, and whose own time is below that, is late: it is
   * counted, and changes nothing.
   */
  public Table<K, V> toTable(String name, Duration allowedLateness) {
    Objects.requireNonNull(allowedLateness, "allowedLateness");
    return new Table<>(
        builder,
        builder.add(
            new Node.TableNode(
                name,
                port,
                new Node.TableOperation.Latest(allowedLateness, builder.hasEventTime(port)))));
  }

  /** States the types, where functions do not tell them, or not precisely enough. */
  public KeyedStream<K, V> typed(Class<K> key, Class<V> value) {
    builder.hint(port, TypeHint.ofTypes(key, value));
    return this;
  }

  /** As {@link #typed(Class, Class)}, for generic types. */
  public KeyedStream<K, V> typed(TypeRef<K> key, TypeRef<V> value) {
    builder.hint(port, TypeHint.ofTypes(key.type(), value.type()));
    return this;
  }

  /** States how keys and values are serialised. The serde of the keys must be deterministic. */
  public KeyedStream<K, V> typed(Serde<K> key, Serde<V> value) {
    builder.hint(
        port,
        TypeHint.ofSerdes(
            Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")));
    return this;
  }
}
