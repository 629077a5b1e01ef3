package io.streamforge.function;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The aggregators that come with the engine, and their composition: several of them fold the same
 * records in one pass.
 *
 * <p>All are mergeable. {@link #count} and {@link #sum} subtract as well, and so do compositions of
 * these alone. Sums of doubles do not: what rounding has lost would not come back.
 */
public final class Aggregates {
  private Aggregates() {}

  /** How many records there are. */
  public static <V> Aggregator<V, ?, Long> count() {
    return new Count<>();
  }

  /** The sum of longs; fails when it overflows. */
  public static <V> Aggregator<V, ?, Long> sum(ToLong<? super V> part) {
    return sum(part, Overflow.FAIL);
  }

  /** The sum of longs. */
  public static <V> Aggregator<V, ?, Long> sum(ToLong<? super V> part, Overflow overflow) {
    return new Sum<>(part, overflow);
  }

  /**
   * The sum of doubles, compensated, so that it hardly depends on the order: intermediate sums do
   * not overflow, and what is small beside others is not lost.
   */
  public static <V> Aggregator<V, ?, Double> sumDouble(ToDouble<? super V> part) {
    return new SumDouble<>(part);
  }

  /**
   * The mean of doubles, summed as {@link #sumDouble} does: finite whenever all of them are,
   * however large.
   */
  public static <V> Aggregator<V, ?, Double> average(ToDouble<? super V> part) {
    return new Average<>(part);
  }

  /**
   * The smallest in the order of {@code compareTo}; the earliest of several that compare as equal.
   * Doubles are thus ordered as by {@link Double#compare}: −0.0 is below 0.0, and NaN is above
   * infinity, so it is the minimum only when there is nothing else.
   */
  public static <V, C extends Comparable<? super C>> Aggregator<V, ?, C> min(
      ValueMapper<? super V, ? extends C> part) {
    return new Extreme<>(part, true);
  }

  /**
   * The largest in the order of {@code compareTo}; the earliest of several that compare as equal.
   * Doubles are thus ordered as by {@link Double#compare}: NaN is above infinity, so one NaN makes
   * the maximum NaN.
   */
  public static <V, C extends Comparable<? super C>> Aggregator<V, ?, C> max(
      ValueMapper<? super V, ? extends C> part) {
    return new Extreme<>(part, false);
  }

  /** One value of all: the first, combined with each that follows. */
  public static <V> Aggregator<V, ?, V> reduce(Reducer<V> reducer) {
    return new Reduce<>(reducer);
  }

  /** Two aggregates in one pass. */
  public static <V, A, B, R> Aggregator<V, ?, R> both(
      Aggregator<? super V, ?, ? extends A> first,
      Aggregator<? super V, ?, ? extends B> second,
      Combiner<? super A, ? super B, ? extends R> combiner) {
    return new Compositions.Both<V, A, B, R>(new AggregatorParts(List.of(first, second)), combiner);
  }

  /** Three aggregates in one pass. */
  public static <V, A, B, C, R> Aggregator<V, ?, R> three(
      Aggregator<? super V, ?, ? extends A> first,
      Aggregator<? super V, ?, ? extends B> second,
      Aggregator<? super V, ?, ? extends C> third,
      Combiner3<? super A, ? super B, ? super C, ? extends R> combiner) {
    return new Compositions.Three<V, A, B, C, R>(
        new AggregatorParts(List.of(first, second, third)), combiner);
  }

  /**
   * Any number of aggregates in one pass. The result is an unmodifiable map of their results under
   * the same names, in the order of the given map.
   */
  public static <V> Aggregator<V, ?, Map<String, Object>> all(
      Map<String, ? extends Aggregator<? super V, ?, ?>> aggregators) {
    return new Compositions.All<>(
        List.copyOf(aggregators.keySet()), new AggregatorParts(List.copyOf(aggregators.values())));
  }

  static @Nullable Type parameterOf(Object function, Class<?> shape) {
    return FunctionTypes.of(function, shape) instanceof FunctionTypes.Known known
        ? known.parameters().get(0)
        : null;
  }

  static @Nullable Type resultOf(Object function, Class<?> shape) {
    return FunctionTypes.of(function, shape) instanceof FunctionTypes.Known known
        ? known.result()
        : null;
  }

  private record Count<V>() implements LongAggregator<V> {
    @Override
    public String form() {
      return "count";
    }

    @Override
    public long addTo(long accumulator, V value) {
      return accumulator + 1;
    }

    @Override
    public long mergeLongs(long into, long from) {
      return into + from;
    }

    @Override
    public long subtractLongs(long from, long part) {
      return from - part;
    }

    @Override
    public boolean subtractable() {
      return true;
    }

    @Override
    public String toString() {
      return "count";
    }
  }

  private record Sum<V>(ToLong<? super V> part, Overflow overflow) implements LongAggregator<V> {
    Sum {
      Objects.requireNonNull(part, "part");
      Objects.requireNonNull(overflow, "overflow");
    }

    @Override
    public String form() {
      return "sum";
    }

    @Override
    public long addTo(long accumulator, V value) throws Exception {
      return mergeLongs(accumulator, part.apply(value));
    }

    @Override
    public long mergeLongs(long into, long from) {
      long sum = into + from;
      if (overflow == Overflow.FAIL && ((into ^ sum) & (from ^ sum)) < 0) {
        throw overflowed(into, " + ", from);
      }
      return sum;
    }

    @Override
    public long subtractLongs(long from, long part) {
      long difference = from - part;
      if (overflow == Overflow.FAIL && ((from ^ part) & (from ^ difference)) < 0) {
        throw overflowed(from, " - ", part);
      }
      return difference;
    }

    private static ArithmeticException overflowed(long left, String operator, long right) {
      return new ArithmeticException(
          "the sum overflows a long: "
              + left
              + operator
              + right
              + "; sum with Overflow.WRAP, or as doubles with sumDouble");
    }

    @Override
    public boolean subtractable() {
      return true;
    }

    @Override
    public @Nullable Type valueType() {
      return parameterOf(part, ToLong.class);
    }

    @Override
    public String toString() {
      return overflow == Overflow.FAIL ? "sum" : "sum (wrapping)";
    }
  }

  /** What {@link SumDouble} and {@link Average} share. */
  private interface OverDoubles<V> extends Aggregator<V, DoubleSum, Double> {
    ToDouble<? super V> part();

    @Override
    default DoubleSum create() {
      return new DoubleSum();
    }

    @Override
    default DoubleSum add(DoubleSum accumulator, V value) throws Exception {
      accumulator.add(part().apply(value));
      return accumulator;
    }

    @Override
    default DoubleSum copy(DoubleSum accumulator) {
      return accumulator.copy();
    }

    @Override
    default DoubleSum merge(DoubleSum into, DoubleSum from) {
      into.add(from);
      return into;
    }

    @Override
    default @Nullable Type valueType() {
      return parameterOf(part(), ToDouble.class);
    }

    @Override
    default Type accumulatorType() {
      return DoubleSum.class;
    }

    @Override
    default Inferred accumulatorForm(Inferred values) {
      return new Inferred.Found(DoubleSum.SERDE);
    }

    @Override
    default Type resultType() {
      return Double.class;
    }
  }

  private record SumDouble<V>(ToDouble<? super V> part) implements OverDoubles<V> {
    SumDouble {
      Objects.requireNonNull(part, "part");
    }

    @Override
    public Double result(DoubleSum accumulator) {
      return accumulator.sum();
    }

    @Override
    public String toString() {
      return "sumDouble";
    }
  }

  private record Average<V>(ToDouble<? super V> part) implements OverDoubles<V> {
    Average {
      Objects.requireNonNull(part, "part");
    }

    @Override
    public Double result(DoubleSum accumulator) {
      return accumulator.mean();
    }

    @Override
    public String toString() {
      return "average";
    }
  }

  /** Holds the value that has won so far; null before the first. */
  static final class Best<T> {
    private @Nullable T value;

    private Best<T> copy() {
      Best<T> copy = new Best<>();
      copy.value = value;
      return copy;
    }

    private T value() {
      return Objects.requireNonNull(value, "an aggregate of no values has no result");
    }

    @Override
    public String toString() {
      return String.valueOf(value);
    }

    /** Written as an optional of what it holds. */
    static <T> Inferred form(Inferred values) {
      if (!(values instanceof Inferred.Found found)) {
        return values;
      }
      @SuppressWarnings("unchecked")
      Serde<T> serde = (Serde<T>) found.serde();
      return new Inferred.Found(
          Serdes.mapped(
              "best of " + serde.name(),
              Serdes.optional(serde),
              (Best<T> best) -> Optional.ofNullable(best.value),
              held -> {
                Best<T> best = new Best<>();
                best.value = held.orElse(null);
                return best;
              }));
    }
  }

  private record Extreme<V, C extends Comparable<? super C>>(
      ValueMapper<? super V, ? extends C> part, boolean least)
      implements Aggregator<V, Best<C>, C> {
    Extreme {
      Objects.requireNonNull(part, "part");
    }

    @Override
    public Best<C> create() {
      return new Best<>();
    }

    @Override
    public Best<C> add(Best<C> accumulator, V value) throws Exception {
      offer(
          accumulator,
          Objects.requireNonNull(part.apply(value), () -> this + ": the function returned null"));
      return accumulator;
    }

    @Override
    public Best<C> copy(Best<C> accumulator) {
      return accumulator.copy();
    }

    @Override
    public Best<C> merge(Best<C> into, Best<C> from) {
      if (from.value != null) {
        offer(into, from.value);
      }
      return into;
    }

    private void offer(Best<C> best, C candidate) {
      C current = best.value;
      if (current == null) {
        best.value = candidate;
        return;
      }
      int order = candidate.compareTo(current);
      if (least ? order < 0 : order > 0) {
        best.value = candidate;
      }
    }

    @Override
    public C result(Best<C> accumulator) {
      return accumulator.value();
    }

    @Override
    public @Nullable Type valueType() {
      return parameterOf(part, ValueMapper.class);
    }

    @Override
    public Type accumulatorType() {
      return Best.class;
    }

    @Override
    public Inferred accumulatorForm(Inferred values) {
      Type type = resultType();
      return type == null
          ? new Inferred.Missing("the type that the function of " + this + " returns is not known")
          : Best.form(Serdes.infer(type));
    }

    @Override
    public @Nullable Type resultType() {
      return resultOf(part, ValueMapper.class);
    }

    @Override
    public String toString() {
      return least ? "min" : "max";
    }
  }

  private record Reduce<V>(Reducer<V> reducer) implements Aggregator<V, Best<V>, V> {
    Reduce {
      Objects.requireNonNull(reducer, "reducer");
    }

    @Override
    public Best<V> create() {
      return new Best<>();
    }

    @Override
    public Best<V> add(Best<V> accumulator, V value) throws Exception {
      V current = accumulator.value;
      accumulator.value =
          current == null
              ? value
              : Objects.requireNonNull(
                  reducer.apply(current, value), "reduce: the function returned null");
      return accumulator;
    }

    @Override
    public Best<V> copy(Best<V> accumulator) {
      return accumulator.copy();
    }

    @Override
    public Best<V> merge(Best<V> into, Best<V> from) throws Exception {
      return from.value == null ? into : add(into, from.value);
    }

    @Override
    public V result(Best<V> accumulator) {
      return accumulator.value();
    }

    @Override
    public @Nullable Type valueType() {
      return parameterOf(reducer, Reducer.class);
    }

    @Override
    public Type accumulatorType() {
      return Best.class;
    }

    @Override
    public Inferred accumulatorForm(Inferred values) {
      return Best.form(values);
    }

    @Override
    public @Nullable Type resultType() {
      return valueType();
    }

    @Override
    public String toString() {
      return "reduce";
    }
  }
}
