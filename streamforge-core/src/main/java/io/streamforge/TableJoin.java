package io.streamforge;

import io.streamforge.function.ValueJoiner;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A join of two tables by their key, which is a table again: each change of a row on either side
 * changes at most one row of it, at once and at the time of that change.
 *
 * @param <K> keys of both
 * @param <V> rows of the left
 * @param <W> rows of the right
 */
public final class TableJoin<K, V, W> {
  private final TopologyBuilder builder;
  private final Port left;
  private final TopologyBuilder builderOfRight;
  private final Port right;

  TableJoin(TopologyBuilder builder, Port left, TopologyBuilder builderOfRight, Port right) {
    this.builder = builder;
    this.left = left;
    this.builderOfRight = builderOfRight;
    this.right = right;
  }

  /** A row for each key that both have. */
  public <R> Table<K, R> inner(
      String name, ValueJoiner<? super V, ? super W, ? extends @Nullable R> joiner) {
    return add(name, Node.JoinKind.INNER, joiner);
  }

  /** A row for each key of the left; the right is null where it has none. */
  public <R> Table<K, R> left(
      String name, ValueJoiner<? super V, ? super @Nullable W, ? extends @Nullable R> joiner) {
    return add(name, Node.JoinKind.LEFT, joiner);
  }

  /** A row for each key that one of them has; the other is null where it has none. */
  public <R> Table<K, R> outer(
      String name,
      ValueJoiner<? super @Nullable V, ? super @Nullable W, ? extends @Nullable R> joiner) {
    return add(name, Node.JoinKind.OUTER, joiner);
  }

  private <R> Table<K, R> add(String name, Node.JoinKind kind, ValueJoiner<?, ?, ?> joiner) {
    Objects.requireNonNull(joiner, "joiner");
    // A table of another builder is reported; the left stands in for it.
    Port other = builder.owns(name, builderOfRight, right) ? right : left;
    return new Table<>(
        builder,
        builder.add(
            new Node.JoinNode(
                name,
                left,
                other,
                kind,
                new Node.Matching.Tables(),
                Duration.ZERO,
                null,
                null,
                joiner)));
  }
}
