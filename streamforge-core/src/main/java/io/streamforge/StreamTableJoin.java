package io.streamforge;

import io.streamforge.function.SideOutput;
import io.streamforge.function.ValueJoiner;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A join of the records of a stream with the rows of a table that have their key: those of the
 * record's time ({@link #asOf}, unless told otherwise), or those that are there when it comes
 * ({@link #latest}).
 *
 * <pre>{@code
 * orders.joinWith(prices).inner("priced", (order, price) -> order.times(price));
 * }</pre>
 *
 * <p>Each record comes out at most once, with its own time; updates of the table emit nothing.
 * Joined records have no headers. Immutable.
 *
 * @param <K> keys of both
 * @param <V> values of the stream
 * @param <W> rows of the table
 */
public final class StreamTableJoin<K, V, W> {
  private final TopologyBuilder builder;
  private final Port stream;
  private final Table<K, W> table;
  private final Node.Matching matching;
  private final Duration allowedLateness;
  private final @Nullable SideOutput<K, V> late;
  private final @Nullable SideOutput<K, W> lateUpdates;

  private StreamTableJoin(
      TopologyBuilder builder,
      Port stream,
      Table<K, W> table,
      Node.Matching matching,
      Duration allowedLateness,
      @Nullable SideOutput<K, V> late,
      @Nullable SideOutput<K, W> lateUpdates) {
    this.builder = builder;
    this.stream = stream;
    this.table = table;
    this.matching = matching;
    this.allowedLateness = allowedLateness;
    this.late = late;
    this.lateUpdates = lateUpdates;
  }

  static <K, V, W> StreamTableJoin<K, V, W> of(
      TopologyBuilder builder, Port stream, Table<K, W> table) {
    return new StreamTableJoin<>(
        builder, stream, table, new Node.Matching.AsOf(), Duration.ZERO, null, null);
  }

  /**
   * With the row as of the record's time, whatever came first. A record waits until the watermark,
   * less the {@linkplain #allowedLateness allowed lateness}, has passed it. A record or an update
   * below that is late, and joins nothing. Both sides need event time.
   */
  public StreamTableJoin<K, V, W> asOf() {
    return matching(new Node.Matching.AsOf());
  }

  /**
   * With the row that is there when the record comes, at once. What comes out depends on which of a
   * record and an update comes first, and after a restart may be otherwise for what comes again.
   */
  public StreamTableJoin<K, V, W> latest() {
    return matching(new Node.Matching.Latest());
  }

  private StreamTableJoin<K, V, W> matching(Node.Matching changed) {
    return new StreamTableJoin<>(
        builder, stream, table, changed, allowedLateness, late, lateUpdates);
  }

  /** Waits for updates, and for records, so much longer; zero unless set. */
  public StreamTableJoin<K, V, W> allowedLateness(Duration lateness) {
    Objects.requireNonNull(lateness, "lateness");
    return new StreamTableJoin<>(builder, stream, table, matching, lateness, late, lateUpdates);
  }

  /** Sends late records to a side output of the result, instead of only counting them. */
  public StreamTableJoin<K, V, W> lateTo(SideOutput<K, V> output) {
    Objects.requireNonNull(output, "output");
    return new StreamTableJoin<>(
        builder, stream, table, matching, allowedLateness, output, lateUpdates);
  }

  /**
   * Sends late updates of the table to a side output of the result, instead of only counting them;
   * null is a deletion.
   */
  public StreamTableJoin<K, V, W> lateUpdatesTo(SideOutput<K, W> output) {
    Objects.requireNonNull(output, "output");
    return new StreamTableJoin<>(builder, stream, table, matching, allowedLateness, late, output);
  }

  /** Records for which there is a row. */
  public <R> Stream<K, R> inner(
      String name, ValueJoiner<? super V, ? super W, ? extends R> joiner) {
    return add(name, Node.JoinKind.INNER, joiner);
  }

  /** All records; the row is null where there is none. */
  public <R> Stream<K, R> left(
      String name, ValueJoiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return add(name, Node.JoinKind.LEFT, joiner);
  }

  private <R> Stream<K, R> add(String name, Node.JoinKind kind, ValueJoiner<?, ?, ?> joiner) {
    Objects.requireNonNull(joiner, "joiner");
    // A table of another builder is reported; the stream stands in for it.
    Port other = builder.owns(name, table.builder(), table.port()) ? table.port() : stream;
    return new Stream<>(
        builder,
        builder.add(
            new Node.JoinNode(
                name, stream, other, kind, matching, allowedLateness, late, lateUpdates, joiner)));
  }
}
