package io.streamforge;

import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Reducer;
import io.streamforge.function.SideOutput;
import io.streamforge.function.ToDouble;
import io.streamforge.function.ToLong;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.Node.Accumulation;
import io.streamforge.graph.Node.Windowing;
import io.streamforge.graph.Port;
import io.streamforge.window.Trigger;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Objects;

/**
 * The records of each key, cut into windows. Unless told otherwise a window emits one result, when
 * the watermark reaches its end, and is then forgotten; records that come later than that are
 * counted, and lost. Immutable.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class WindowedStream<K, V> {
  private final TopologyBuilder builder;
  private final Port port;
  private final Windowing windowing;

  WindowedStream(TopologyBuilder builder, Port port, Windowing windowing) {
    this.builder = builder;
    this.port = port;
    this.windowing = windowing;
  }

  /** Keeps closed windows for so long; a record that they still accept emits a refinement. */
  public WindowedStream<K, V> allowedLateness(Duration lateness) {
    Objects.requireNonNull(lateness, "lateness");
    return with(
        new Windowing(
            windowing.windows(),
            lateness,
            windowing.earlyTrigger(),
            windowing.lateTrigger(),
            windowing.accumulation(),
            windowing.lateOutput()));
  }

  /** Also emits before a window closes; see {@link io.streamforge.window.Triggers}. */
  public WindowedStream<K, V> trigger(Trigger<? super K> early) {
    Objects.requireNonNull(early, "early");
    return with(
        new Windowing(
            windowing.windows(),
            windowing.allowedLateness(),
            early,
            windowing.lateTrigger(),
            windowing.accumulation(),
            windowing.lateOutput()));
  }

  /** Decides what late records of a closed, kept window emit, instead of a refinement each. */
  public WindowedStream<K, V> lateTrigger(Trigger<? super K> late) {
    Objects.requireNonNull(late, "late");
    return with(
        new Windowing(
            windowing.windows(),
            windowing.allowedLateness(),
            windowing.earlyTrigger(),
            late,
            windowing.accumulation(),
            windowing.lateOutput()));
  }

  /** Each result covers what came since the window's last one. */
  public WindowedStream<K, V> discarding() {
    return with(Accumulation.DISCARDING);
  }

  /** Each result covers all of the window; so it is unless told otherwise. */
  public WindowedStream<K, V> accumulating() {
    return with(Accumulation.ACCUMULATING);
  }

  /**
   * Sends records that no window accepts any more to a side output, to be read with {@link
   * Stream#sideOutput} of the result.
   */
  public WindowedStream<K, V> lateTo(SideOutput<K, V> output) {
    Objects.requireNonNull(output, "output");
    return with(
        new Windowing(
            windowing.windows(),
            windowing.allowedLateness(),
            windowing.earlyTrigger(),
            windowing.lateTrigger(),
            windowing.accumulation(),
            output));
  }

  private WindowedStream<K, V> with(Accumulation accumulation) {
    return with(
        new Windowing(
            windowing.windows(),
            windowing.allowedLateness(),
            windowing.earlyTrigger(),
            windowing.lateTrigger(),
            accumulation,
            windowing.lateOutput()));
  }

  private WindowedStream<K, V> with(Windowing changed) {
    return new WindowedStream<>(builder, port, changed);
  }

  private <R> Stream<K, Windowed<R>> add(String name, Node.Aggregation aggregation) {
    return new Stream<>(
        builder, builder.add(new Node.WindowNode(name, port, windowing, aggregation)));
  }

  /** How many records there are. Over {@link Windows#global()}: once, when all input has ended. */
  public Stream<K, Windowed<Long>> count(String name) {
    return add(name, Aggregations.count());
  }

  /** The sum of longs; fails when it overflows: {@link Aggregates#sum} has the choice. */
  public Stream<K, Windowed<Long>> sum(String name, ToLong<? super V> part) {
    return add(name, Aggregations.sum(part));
  }

  /** The sum of doubles; see {@link Aggregates#sumDouble}. */
  public Stream<K, Windowed<Double>> sumDouble(String name, ToDouble<? super V> part) {
    return add(name, Aggregations.sumDouble(part));
  }

  /** The smallest; see {@link Aggregates#min}. */
  public <C extends Comparable<? super C>> Stream<K, Windowed<C>> min(
      String name, ValueMapper<? super V, ? extends C> part) {
    return add(name, Aggregations.min(part));
  }

  /** The largest; see {@link Aggregates#max}. */
  public <C extends Comparable<? super C>> Stream<K, Windowed<C>> max(
      String name, ValueMapper<? super V, ? extends C> part) {
    return add(name, Aggregations.max(part));
  }

  /** The mean of doubles; see {@link Aggregates#average}. */
  public Stream<K, Windowed<Double>> average(String name, ToDouble<? super V> part) {
    return add(name, Aggregations.average(part));
  }

  /** The first value, combined with each that follows. */
  public Stream<K, Windowed<V>> reduce(String name, Reducer<V> reducer) {
    return add(name, Aggregations.reduce(reducer));
  }

  /** Any aggregate; {@link Aggregates} has some, and composes several into one pass. */
  public <R> Stream<K, Windowed<R>> aggregate(
      String name, Aggregator<? super V, ?, ? extends R> aggregator) {
    return add(name, Aggregations.aggregate(aggregator));
  }
}
