package io.streamforge;

import io.streamforge.function.Predicate;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ways out of a {@link Stream#split}. A record goes the first way whose predicate it passes;
 * without {@link #otherwise} one that passes none is dropped, and counted.
 *
 * <pre>{@code
 * Branches<String, Order> bySize = orders.split("by-size")
 *     .branch("big", (key, order) -> order.amount() >= 1000)
 *     .otherwise("small");
 * bySize.stream("big").sink("review", ...);
 * bySize.stream("small").sink("accept", ...);
 *
 * // or in one chain
 * orders.split("by-size")
 *     .branch("big", (key, order) -> order.amount() >= 1000, big -> big.sink("review", ...))
 *     .otherwise("small", small -> small.sink("accept", ...));
 * }</pre>
 */
public final class Branches<K, V> {
  private final TopologyBuilder builder;
  private Node.BranchNode node;

  Branches(TopologyBuilder builder, String name, Port input) {
    this.builder = builder;
    this.node = new Node.BranchNode(name, input, List.of());
    builder.add(node);
  }

  /** One more way, for records that pass and have gone no earlier way. */
  public Branches<K, V> branch(String name, Predicate<? super K, ? super V> predicate) {
    return add(name, Objects.requireNonNull(predicate, "predicate"));
  }

  /** As {@link #branch(String, Predicate)}; what follows it is declared in place. */
  public Branches<K, V> branch(
      String name, Predicate<? super K, ? super V> predicate, Consumer<? super Stream<K, V>> next) {
    branch(name, predicate);
    next.accept(stream(name));
    return this;
  }

  /** The way of all records that have gone no earlier one; the last. */
  public Branches<K, V> otherwise(String name) {
    return add(name, null);
  }

  /** As {@link #otherwise(String)}; what follows it is declared in place. */
  public Branches<K, V> otherwise(String name, Consumer<? super Stream<K, V>> next) {
    otherwise(name);
    next.accept(stream(name));
    return this;
  }

  /** The records that went this way. */
  public Stream<K, V> stream(String name) {
    return new Stream<>(builder, new Port(node.name(), name));
  }

  /** The builder, for what else the topology has. */
  public TopologyBuilder topology() {
    return builder;
  }

  private Branches<K, V> add(String name, @Nullable Predicate<? super K, ? super V> predicate) {
    List<Node.Branch> branches = new ArrayList<>(node.branches());
    branches.add(new Node.Branch(Objects.requireNonNull(name, "name"), predicate));
    Node.BranchNode longer = new Node.BranchNode(node.name(), node.input(), branches);
    builder.replace(node, longer);
    node = longer;
    return this;
  }
}
