package io.streamforge.graph;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ForeachAction;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.ProcessorSupplier;
import io.streamforge.function.PushMapper;
import io.streamforge.function.SideOutput;
import io.streamforge.function.ValueJoiner;
import io.streamforge.function.ValueMapper;
import io.streamforge.function.ValuePushMapper;
import io.streamforge.record.KeyValue;
import io.streamforge.sink.Sink;
import io.streamforge.source.Source;
import io.streamforge.source.SourceOptions;
import io.streamforge.window.Trigger;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of the logical graph. The hierarchy is closed: whoever treats every kind of node
 * implements {@link NodeVisitor}, so that a new kind is found by the compiler everywhere.
 */
public sealed interface Node {
  /** The user-given name: the identity of the node. */
  String name();

  /** Where its records come from; empty for sources only. */
  List<Port> inputs();

  /** Calls the visitor's method for this kind of node. */
  <R> R accept(NodeVisitor<R> visitor);

  /** Reads a source. */
  record SourceNode(String name, Source<?, ?> source, SourceOptions<?, ?> options) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of();
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.source(this);
    }
  }

  /** Makes one record of one, possibly with another key. */
  record MapNode(String name, Port input, KeyValueMapper<?, ?, ? extends KeyValue<?, ?>> mapper)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.map(this);
    }
  }

  /** Makes one value of one; the key stays. Exactly one of the two mappers is there. */
  record MapValuesNode(
      String name,
      Port input,
      @Nullable ValueMapper<?, ?> mapper,
      @Nullable KeyValueMapper<?, ?, ?> keyedMapper)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.mapValues(this);
    }
  }

  /** Gives a record another key. */
  record SelectKeyNode(String name, Port input, KeyValueMapper<?, ?, ?> selector) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.selectKey(this);
    }
  }

  /** Keeps the records that pass, or with {@code negated} those that do not. */
  record FilterNode(String name, Port input, Predicate<?, ?> predicate, boolean negated)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.filter(this);
    }
  }

  /** Looks at records. */
  record PeekNode(String name, Port input, ForeachAction<?, ?> action) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.peek(this);
    }
  }

  /** Makes any number of records of one. */
  record FlatMapNode(String name, Port input, FlatMapper mapper) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.flatMap(this);
    }
  }

  /** The forms a flat mapper may have. */
  sealed interface FlatMapper {
    /** The user's function. */
    Object function();

    /** {@code flatMap}. */
    record ToIterable(KeyValueMapper<?, ?, ? extends Iterable<? extends KeyValue<?, ?>>> function)
        implements FlatMapper {}

    /** {@code flatMapStream}. */
    record ToStream(KeyValueMapper<?, ?, ? extends Stream<? extends KeyValue<?, ?>>> function)
        implements FlatMapper {}

    /** {@code flatMapTo}. */
    record Push(PushMapper<?, ?, ?, ?> function) implements FlatMapper {}

    /** {@code flatMapValues}. */
    record ValuesToIterable(ValueMapper<?, ? extends Iterable<?>> function) implements FlatMapper {}

    /** {@code flatMapValuesStream}. */
    record ValuesToStream(ValueMapper<?, ? extends Stream<?>> function) implements FlatMapper {}

    /** {@code flatMapValuesTo}. */
    record ValuesPush(ValuePushMapper<?, ?> function) implements FlatMapper {}

    /** Whether the key stays. */
    default boolean keepsKey() {
      return this instanceof ValuesToIterable
          || this instanceof ValuesToStream
          || this instanceof ValuesPush;
    }
  }

  /** Several streams as one; no order between them. */
  record MergeNode(String name, List<Port> inputs) implements Node {
    public MergeNode {
      inputs = List.copyOf(inputs);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.merge(this);
    }
  }

  /** One way out of a branch; a null predicate takes what no other has taken. */
  record Branch(String name, @Nullable Predicate<?, ?> predicate) {}

  /** Sends each record to the first branch that takes it; what none takes is dropped, counted. */
  record BranchNode(String name, Port input, List<Branch> branches) implements Node {
    public BranchNode {
      branches = List.copyOf(branches);
    }

    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.branch(this);
    }
  }

  /**
   * Brings all records of a key to one task. Without a selector the key stays; then there is no
   * exchange where the stream is already partitioned by it.
   */
  record GroupByNode(String name, Port input, @Nullable KeyValueMapper<?, ?, ?> selector)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.groupBy(this);
    }
  }

  /** Spreads records evenly over all tasks. */
  record RebalanceNode(String name, Port input) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.rebalance(this);
    }
  }

  /** A user's keyed function with state and timers. */
  record ProcessNode(String name, Port input, ProcessorSupplier<?, ?, ?, ?> supplier)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.process(this);
    }
  }

  /** An aggregate for each key that is emitted at every record. */
  record AggregateNode(String name, Port input, Aggregation aggregation) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.aggregate(this);
    }
  }

  /** An aggregate for each key and window. */
  record WindowNode(String name, Port input, Windowing windowing, Aggregation aggregation)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.window(this);
    }
  }

  /**
   * Brings rows of two streams together that have one key.
   *
   * @param left keyed
   * @param right keyed alike
   * @param kind which rows come out without a partner
   * @param matching which rows are partners
   * @param allowedLateness how far behind event time a row may be
   * @param lateLeft where rows of the left go that come later; null: they are only counted
   * @param lateRight where rows of the right go that come later; null: they are only counted
   * @param joiner makes a value of two
   */
  record JoinNode(
      String name,
      Port left,
      Port right,
      JoinKind kind,
      Matching matching,
      Duration allowedLateness,
      @Nullable SideOutput<?, ?> lateLeft,
      @Nullable SideOutput<?, ?> lateRight,
      ValueJoiner<?, ?, ?> joiner)
      implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(left, right);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.join(this);
    }
  }

  /**
   * Makes a table, or makes something of one. All but {@link TableOperation.Latest} read its
   * changes, and all but {@link TableOperation.ToStream} emit {@link io.streamforge.record.Change
   * changes}.
   */
  record TableNode(String name, Port input, TableOperation operation) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.table(this);
    }
  }

  /** What is done to a table. */
  sealed interface TableOperation {
    /**
     * The latest value of each key of a stream; null deletes.
     *
     * @param allowedLateness how far behind event time an update of a key may be that has no row
     * @param byTime whether timestamps say which one is the latest; otherwise the order of arrival
     */
    record Latest(Duration allowedLateness, boolean byTime) implements TableOperation {}

    /** Keeps the rows that pass, or with {@code negated} those that do not. */
    record Filter(Predicate<?, ?> predicate, boolean negated) implements TableOperation {}

    /** Makes one row of one. Exactly one of the two mappers is there. */
    record MapValues(
        @Nullable ValueMapper<?, ?> mapper, @Nullable KeyValueMapper<?, ?, ?> keyedMapper)
        implements TableOperation {}

    /** What the table has after each change; null where a row has been deleted. */
    record ToStream() implements TableOperation {}

    /** Gives each row a key and brings all rows of a key together. */
    record GroupBy(KeyValueMapper<?, ?, ?> selector) implements TableOperation {}

    /** An aggregate of the rows of each key. */
    record Aggregate(Aggregation aggregation) implements TableOperation {}
  }

  /** Which rows of a join come out without a partner. */
  enum JoinKind {
    /** None. */
    INNER,
    /** Those of the left. */
    LEFT,
    /** Those of both sides. */
    OUTER
  }

  /** Which rows with one key are partners. */
  sealed interface Matching {
    /** Neither was said. */
    record Undecided() implements Matching {}

    /**
     * A right row is between {@code from} and {@code to} later than the left one, both included;
     * negative: earlier.
     */
    record Between(Duration from, Duration to) implements Matching {}

    /** Both are in one window. */
    record InWindow(Windows windows) implements Matching {}

    /** The right is a table, of which the row is joined that it had at the time of the left row. */
    record AsOf() implements Matching {}

    /** The right is a table, of which the row is joined that it has when the left row comes. */
    record Latest() implements Matching {}

    /** Both are tables, and so is the result. */
    record Tables() implements Matching {}
  }

  /** Writes a sink. */
  record SinkNode(String name, Port input, Sink<?, ?> sink) implements Node {
    @Override
    public List<Port> inputs() {
      return List.of(input);
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
      return visitor.sink(this);
    }
  }

  /**
   * An aggregator and how {@code explain} calls it.
   *
   * @param label such as {@code count}
   * @param aggregator what folds
   * @param function the user's function inside it, for its types; null when there is none
   */
  record Aggregation(String label, Aggregator<?, ?, ?> aggregator, @Nullable Object function) {}

  /** What a firing does to the accumulator of its window. */
  enum Accumulation {
    /** It stays: each result covers all of the window. */
    ACCUMULATING,
    /** It is emptied: each result covers what came since the last one. */
    DISCARDING
  }

  /**
   * Windows and how they fire.
   *
   * @param windows how time is cut
   * @param allowedLateness how long a window is kept after it has closed
   * @param earlyTrigger fires before the window closes; null: none
   * @param lateTrigger decides what late records of a kept, closed window emit; null: each emits a
   *     refinement
   * @param accumulation what a firing leaves behind
   * @param lateOutput where records go that no window accepts any more; null: they are only counted
   */
  record Windowing(
      Windows windows,
      Duration allowedLateness,
      @Nullable Trigger<?> earlyTrigger,
      @Nullable Trigger<?> lateTrigger,
      Accumulation accumulation,
      @Nullable SideOutput<?, ?> lateOutput) {
    /** Windows that fire when they close, keep nothing longer, and only count late records. */
    public static Windowing of(Windows windows) {
      return new Windowing(windows, Duration.ZERO, null, null, Accumulation.ACCUMULATING, null);
    }
  }
}
