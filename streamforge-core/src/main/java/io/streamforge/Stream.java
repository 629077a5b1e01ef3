package io.streamforge;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.ForeachAction;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.PushMapper;
import io.streamforge.function.SideOutput;
import io.streamforge.function.ValueMapper;
import io.streamforge.function.ValuePushMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeHint;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Serde;
import io.streamforge.serde.TypeRef;
import io.streamforge.sink.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Records with keys and values that flow out of a node. Each method adds a node under a name of its
 * own; a stream may be read by several nodes, each of which gets all of its records.
 *
 * @param <K> keys; {@code Void} where there are none
 * @param <V> values
 */
public final class Stream<K, V> {
  private final TopologyBuilder builder;
  private final Port port;

  Stream(TopologyBuilder builder, Port port) {
    this.builder = builder;
    this.port = port;
  }

  TopologyBuilder builder() {
    return builder;
  }

  Port port() {
    return port;
  }

  private <K2, V2> Stream<K2, V2> add(Node node) {
    return new Stream<>(builder, builder.add(node));
  }

  /**
   * Makes one record of one. Where the key stays, prefer {@link #mapValues}: it costs no shuffle.
   */
  public <K2, V2> Stream<K2, V2> map(
      String name,
      KeyValueMapper<? super K, ? super V, ? extends KeyValue<? extends K2, ? extends V2>> mapper) {
    return add(new Node.MapNode(name, port, Objects.requireNonNull(mapper, "mapper")));
  }

  /** Makes one value of one; the key stays. */
  public <V2> Stream<K, V2> mapValues(String name, ValueMapper<? super V, ? extends V2> mapper) {
    return add(new Node.MapValuesNode(name, port, Objects.requireNonNull(mapper, "mapper"), null));
  }

  /** Makes one value of a key and a value; the key stays. */
  public <V2> Stream<K, V2> mapValuesWithKey(
      String name, KeyValueMapper<? super K, ? super V, ? extends V2> mapper) {
    return add(new Node.MapValuesNode(name, port, null, Objects.requireNonNull(mapper, "mapper")));
  }

  /**
   * Makes any number of records of one. The iterable is pulled at the pace of what follows, so it
   * may be long when it is lazy.
   */
  public <K2, V2> Stream<K2, V2> flatMap(
      String name,
      KeyValueMapper<
              ? super K,
              ? super V,
              ? extends Iterable<? extends KeyValue<? extends K2, ? extends V2>>>
          mapper) {
    return add(
        new Node.FlatMapNode(
            name, port, new Node.FlatMapper.ToIterable(Objects.requireNonNull(mapper, "mapper"))));
  }

  /** As {@link #flatMap}, with a {@link java.util.stream.Stream}, which is closed at its end. */
  public <K2, V2> Stream<K2, V2> flatMapStream(
      String name,
      KeyValueMapper<
              ? super K,
              ? super V,
              ? extends java.util.stream.Stream<? extends KeyValue<? extends K2, ? extends V2>>>
          mapper) {
    return add(
        new Node.FlatMapNode(
            name, port, new Node.FlatMapper.ToStream(Objects.requireNonNull(mapper, "mapper"))));
  }

  /**
   * As {@link #flatMap}, for a function that pushes its records. Such a lambda does not tell what
   * it emits: write {@code stream.<String, Long>flatMapTo(...)}.
   */
  public <K2, V2> Stream<K2, V2> flatMapTo(
      String name, PushMapper<? super K, ? super V, K2, V2> mapper) {
    return add(
        new Node.FlatMapNode(
            name, port, new Node.FlatMapper.Push(Objects.requireNonNull(mapper, "mapper"))));
  }

  /**
   * Makes any number of values of one; the key stays. The iterable is pulled at the pace of what
   * follows, so it may be long when it is lazy.
   */
  public <V2> Stream<K, V2> flatMapValues(
      String name, ValueMapper<? super V, ? extends Iterable<? extends V2>> mapper) {
    return add(
        new Node.FlatMapNode(
            name,
            port,
            new Node.FlatMapper.ValuesToIterable(Objects.requireNonNull(mapper, "mapper"))));
  }

  /** As {@link #flatMapValues}, with a {@link java.util.stream.Stream}, closed at its end. */
  public <V2> Stream<K, V2> flatMapValuesStream(
      String name, ValueMapper<? super V, ? extends java.util.stream.Stream<? extends V2>> mapper) {
    return add(
        new Node.FlatMapNode(
            name,
            port,
            new Node.FlatMapper.ValuesToStream(Objects.requireNonNull(mapper, "mapper"))));
  }

  /**
   * As {@link #flatMapValues}, for a function that pushes its values. Such a lambda does not tell
   * what it emits: write {@code stream.<Long>flatMapValuesTo(...)}.
   */
  public <V2> Stream<K, V2> flatMapValuesTo(String name, ValuePushMapper<? super V, V2> mapper) {
    return add(
        new Node.FlatMapNode(
            name, port, new Node.FlatMapper.ValuesPush(Objects.requireNonNull(mapper, "mapper"))));
  }

  /** Keeps the records that pass; the others count as processed and go no further. */
  public Stream<K, V> filter(String name, Predicate<? super K, ? super V> predicate) {
    return add(
        new Node.FilterNode(name, port, Objects.requireNonNull(predicate, "predicate"), false));
  }

  /** Keeps the records that do not pass. */
  public Stream<K, V> filterNot(String name, Predicate<? super K, ? super V> predicate) {
    return add(
        new Node.FilterNode(name, port, Objects.requireNonNull(predicate, "predicate"), true));
  }

  /** Gives each record another key. */
  public <K2> Stream<K2, V> selectKey(
      String name, KeyValueMapper<? super K, ? super V, ? extends K2> selector) {
    return add(new Node.SelectKeyNode(name, port, Objects.requireNonNull(selector, "selector")));
  }

  /** Looks at each record and passes it on. */
  public Stream<K, V> peek(String name, ForeachAction<? super K, ? super V> action) {
    return add(new Node.PeekNode(name, port, Objects.requireNonNull(action, "action")));
  }

  /** This stream and others as one, in no particular order. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final Stream<K, V> merge(String name, Stream<? extends K, ? extends V>... others) {
    List<Port> ports = new ArrayList<>();
    ports.add(port);
    for (Stream<? extends K, ? extends V> other : others) {
      if (builder.owns(name, Objects.requireNonNull(other, "other"))) {
        ports.add(other.port());
      }
    }
    return add(new Node.MergeNode(name, ports));
  }

  /** Sends each record one of several ways: see {@link Branches}. */
  public Branches<K, V> split(String name) {
    return new Branches<>(builder, name, port);
  }

  /** Gives each record a key and brings all records of a key together. */
  public <K2> KeyedStream<K2, V> groupBy(
      String name, KeyValueMapper<? super K, ? super V, ? extends K2> selector) {
    return new KeyedStream<>(
        builder,
        builder.add(
            new Node.GroupByNode(name, port, Objects.requireNonNull(selector, "selector"))));
  }

  /**
   * Brings all records of a key together; costs nothing where they already are. The node is named
   * after the one before it: {@code node/by-key}.
   */
  public KeyedStream<K, V> groupByKey() {
    return new KeyedStream<>(builder, builder.byKey(port));
  }

  /** As {@link #groupByKey()}, under a name of its own. */
  public KeyedStream<K, V> groupByKey(String name) {
    return new KeyedStream<>(builder, builder.add(new Node.GroupByNode(name, port, null)));
  }

  /** Spreads the records evenly over all tasks. */
  public Stream<K, V> rebalance(String name) {
    return add(new Node.RebalanceNode(name, port));
  }

  /**
   * A second output of the node that this stream comes from: the late records of a window, or what
   * a processor emits to the tag.
   */
  public <K2, V2> Stream<K2, V2> sideOutput(SideOutput<K2, V2> tag) {
    return new Stream<>(builder, new Port(port.node(), tag.name()));
  }

  /**
   * What becomes of records that the node rejects which this stream comes from; see {@link
   * TopologyBuilder#onError(String, ErrorPolicy)}.
   */
  public Stream<K, V> onError(ErrorPolicy policy) {
    builder.onError(port.node(), policy);
    return this;
  }

  /** States the types, where functions do not tell them, or not precisely enough. */
  public Stream<K, V> typed(Class<K> key, Class<V> value) {
    builder.hint(port, TypeHint.ofTypes(key, value));
    return this;
  }

  /** As {@link #typed(Class, Class)}, for generic types. */
  public Stream<K, V> typed(TypeRef<K> key, TypeRef<V> value) {
    builder.hint(port, TypeHint.ofTypes(key.type(), value.type()));
    return this;
  }

  /** States how keys and values are serialised. A serde of keys must be deterministic. */
  public Stream<K, V> typed(Serde<K> key, Serde<V> value) {
    builder.hint(
        port,
        TypeHint.ofSerdes(
            Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value")));
    return this;
  }

  /** Writes the records; the end of a chain. */
  public TopologyBuilder sink(String name, Sink<? super K, ? super V> sink) {
    builder.add(new Node.SinkNode(name, port, Objects.requireNonNull(sink, "sink")));
    return builder;
  }
}
