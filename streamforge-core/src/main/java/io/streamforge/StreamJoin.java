package io.streamforge;

import io.streamforge.function.SideOutput;
import io.streamforge.function.ValueJoiner;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A join of two streams: first which rows are partners, {@link #between} or {@link #window}, then
 * which come out without one, {@link #inner}, {@link #left} or {@link #outer}.
 *
 * <pre>{@code
 * orders.joinWith(payments)
 *     .between(Duration.ZERO, Duration.ofHours(1))
 *     .left("paid", (order, payment) -> new Paid(order, payment));
 * }</pre>
 *
 * <p>What comes out does not depend on which of two rows comes first. A pair comes out when both
 * are there, with the larger of their times; a row without partner once, when the watermark says
 * that none can come any more, with its own time. Joined rows have no headers. Immutable.
 *
 * @param <K> keys of both sides
 * @param <V> values of the left
 * @param <W> values of the right
 */
public final class StreamJoin<K, V, W> {
  private final TopologyBuilder builder;
  private final Port left;
  private final TopologyBuilder builderOfRight;
  private final Port right;
  private final Node.Matching matching;
  private final Duration allowedLateness;
  private final @Nullable SideOutput<K, V> lateLeft;
  private final @Nullable SideOutput<K, W> lateRight;

  private StreamJoin(
      TopologyBuilder builder,
      Port left,
      TopologyBuilder builderOfRight,
      Port right,
      Node.Matching matching,
      Duration allowedLateness,
      @Nullable SideOutput<K, V> lateLeft,
      @Nullable SideOutput<K, W> lateRight) {
    this.builder = builder;
    this.left = left;
    this.builderOfRight = builderOfRight;
    this.right = right;
    this.matching = matching;
    this.allowedLateness = allowedLateness;
    this.lateLeft = lateLeft;
    this.lateRight = lateRight;
  }

  static <K, V, W> StreamJoin<K, V, W> of(
      TopologyBuilder builder, Port left, TopologyBuilder builderOfRight, Port right) {
    return new StreamJoin<>(
        builder,
        left,
        builderOfRight,
        right,
        new Node.Matching.Undecided(),
        Duration.ZERO,
        null,
        null);
  }

  /**
   * A right row is a partner when it is at least {@code from} and at most {@code to} later than the
   * left one; negative durations are earlier. So {@code between(ofMinutes(-5), ZERO)} joins what
   * came in the five minutes before. A row is late, and joins nothing, when its time is below the
   * watermark less the {@linkplain #allowedLateness allowed lateness}.
   */
  public StreamJoin<K, V, W> between(Duration from, Duration to) {
    return matching(
        new Node.Matching.Between(
            Objects.requireNonNull(from, "from"), Objects.requireNonNull(to, "to")));
  }

  /**
   * Rows are partners when they are in one window; each window by itself: where windows overlap, a
   * pair comes out once for each that both are in. A row is late, and joins nothing, when all its
   * windows have closed and the {@linkplain #allowedLateness allowed lateness} has passed.
   */
  public StreamJoin<K, V, W> window(Windows windows) {
    return matching(new Node.Matching.InWindow(Objects.requireNonNull(windows, "windows")));
  }

  private StreamJoin<K, V, W> matching(Node.Matching changed) {
    return new StreamJoin<>(
        builder, left, builderOfRight, right, changed, allowedLateness, lateLeft, lateRight);
  }

  /** Waits for rows so much longer; zero unless set. Rows without partner come out later by it. */
  public StreamJoin<K, V, W> allowedLateness(Duration lateness) {
    Objects.requireNonNull(lateness, "lateness");
    return new StreamJoin<>(
        builder, left, builderOfRight, right, matching, lateness, lateLeft, lateRight);
  }

  /** Sends late rows of the left to a side output of the result, instead of only counting them. */
  public StreamJoin<K, V, W> lateLeftTo(SideOutput<K, V> output) {
    Objects.requireNonNull(output, "output");
    return new StreamJoin<>(
        builder, left, builderOfRight, right, matching, allowedLateness, output, lateRight);
  }

  /** Sends late rows of the right to a side output of the result, instead of only counting them. */
  public StreamJoin<K, V, W> lateRightTo(SideOutput<K, W> output) {
    Objects.requireNonNull(output, "output");
    return new StreamJoin<>(
        builder, left, builderOfRight, right, matching, allowedLateness, lateLeft, output);
  }

  /** Pairs only. */
  public <R> Stream<K, R> inner(
      String name, ValueJoiner<? super V, ? super W, ? extends R> joiner) {
    return add(name, Node.JoinKind.INNER, joiner);
  }

  /** Pairs, and left rows without partner, for which the right value is null. */
  public <R> Stream<K, R> left(
      String name, ValueJoiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return add(name, Node.JoinKind.LEFT, joiner);
  }

  /** Pairs, and rows of both sides without partner, for which the other value is null. */
  public <R> Stream<K, R> outer(
      String name, ValueJoiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner) {
    return add(name, Node.JoinKind.OUTER, joiner);
  }

  private <R> Stream<K, R> add(String name, Node.JoinKind kind, ValueJoiner<?, ?, ?> joiner) {
    Objects.requireNonNull(joiner, "joiner");
    // A stream of another builder is reported; the left stands in for it.
    Port other = builder.owns(name, builderOfRight, right) ? right : left;
    return new Stream<>(
        builder,
        builder.add(
            new Node.JoinNode(
                name, left, other, kind, matching, allowedLateness, lateLeft, lateRight, joiner)));
  }
}
