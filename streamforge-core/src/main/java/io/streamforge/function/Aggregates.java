package io.streamforge.function;

import io.streamforge.serde.TypeRef;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    return new Both<V, A, B, R>(new Parts(List.of(first, second)), combiner);
  }

  /** Three aggregates in one pass. */
  public static <V, A, B, C, R> Aggregator<V, ?, R> three(
      Aggregator<? super V, ?, ? extends A> first,
      Aggregator<? super V, ?, ? extends B> second,
      Aggregator<? super V, ?, ? extends C> third,
      Combiner3<? super A, ? super B, ? super C, ? extends R> combiner) {
    return new Three<V, A, B, C, R>(new Parts(List.of(first, second, third)), combiner);
  }

  /**
   * Any number of aggregates in one pass. The result is an unmodifiable map of their results under
   * the same names, in the order of the given map.
   */
  public static <V> Aggregator<V, ?, Map<String, Object>> all(
      Map<String, ? extends Aggregator<? super V, ?, ?>> aggregators) {
    return new All<>(
        List.copyOf(aggregators.keySet()), new Parts(List.copyOf(aggregators.values())));
  }

  private static @Nullable Type parameterOf(Object function, Class<?> shape) {
    return FunctionTypes.of(function, shape) instanceof FunctionTypes.Known known
        ? known.parameters().get(0)
        : null;
  }

  private static @Nullable Type resultOf(Object function, Class<?> shape) {
    return FunctionTypes.of(function, shape) instanceof FunctionTypes.Known known
        ? known.result()
        : null;
  }

  private record Count<V>() implements LongAggregator<V> {
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

    private T value() {
      return Objects.requireNonNull(value, "an aggregate of no values has no result");
    }

    @Override
    public String toString() {
      return String.valueOf(value);
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
    public @Nullable Type resultType() {
      return valueType();
    }

    @Override
    public String toString() {
      return "reduce";
    }
  }

  /** Several aggregators and their accumulators side by side. */
  private static final class Parts implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    private final Aggregator<Object, Object, Object>[] parts;

    @SuppressWarnings("unchecked") // each accumulator meets only the aggregator that made it
    Parts(List<? extends Aggregator<?, ?, ?>> parts) {
      if (parts.isEmpty()) {
        throw new IllegalArgumentException("at least one aggregate is needed");
      }
      this.parts = parts.toArray(new Aggregator[0]);
    }

    Object[] create() throws Exception {
      Object[] accumulators = new Object[parts.length];
      for (int i = 0; i < parts.length; i++) {
        accumulators[i] = parts[i].create();
      }
      return accumulators;
    }

    Object[] add(Object[] accumulators, Object value) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        accumulators[i] = parts[i].add(accumulators[i], value);
      }
      return accumulators;
    }

    Object[] merge(Object[] into, Object[] from) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        into[i] = parts[i].merge(into[i], from[i]);
      }
      return into;
    }

    Object[] subtract(Object[] from, Object[] part) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        from[i] = parts[i].subtract(from[i], part[i]);
      }
      return from;
    }

    Object result(int i, Object[] accumulators) throws Exception {
      return parts[i].result(accumulators[i]);
    }

    boolean mergeable() {
      return List.of(parts).stream().allMatch(Aggregator::mergeable);
    }

    boolean subtractable() {
      return List.of(parts).stream().allMatch(Aggregator::subtractable);
    }

    @Nullable Type valueType() {
      for (Aggregator<?, ?, ?> part : parts) {
        Type type = part.valueType();
        if (type == null) {
          type = parameterOf(part);
        }
        if (type != null && type != Object.class) {
          return type;
        }
      }
      return null;
    }

    private static @Nullable Type parameterOf(Aggregator<?, ?, ?> part) {
      return part.getClass().getName().startsWith(Aggregates.class.getName())
          ? null
          : TypeArguments.of(part.getClass(), Aggregator.class, 0);
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      for (Aggregator<?, ?, ?> part : parts) {
        text.append(text.isEmpty() ? "" : ", ").append(part);
      }
      return text.toString();
    }
  }

  /** Several aggregators whose accumulators are longs, side by side. */
  private static final class ColumnParts<V, R> implements ColumnAggregator<V, R> {
    private final ColumnAggregator<Object, Object>[] parts;
    private final int[] offsets;
    private final int columns;
    private final Results<R> results;

    /** Makes the result of those of the parts. */
    private interface Results<R> {
      R of(ColumnAggregator<Object, Object>[] parts, int[] offsets, long[] accumulators, int at)
          throws Exception;
    }

    private ColumnParts(ColumnAggregator<Object, Object>[] parts, Results<R> results) {
      this.parts = parts;
      this.results = results;
      this.offsets = new int[parts.length];
      int next = 0;
      for (int i = 0; i < parts.length; i++) {
        offsets[i] = next;
        next += parts[i].columns();
      }
      this.columns = next;
    }

    @SuppressWarnings("unchecked") // as in Parts
    static <V, R> @Nullable ColumnParts<V, R> of(Parts parts, Results<R> results) {
      ColumnAggregator<Object, Object>[] columnar = new ColumnAggregator[parts.parts.length];
      for (int i = 0; i < columnar.length; i++) {
        ColumnAggregator<Object, Object> part = parts.parts[i].columnar();
        if (part == null) {
          return null;
        }
        columnar[i] = part;
      }
      return new ColumnParts<>(columnar, results);
    }

    @Override
    public int columns() {
      return columns;
    }

    @Override
    public void addAt(long[] accumulators, int at, V value) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        parts[i].addAt(accumulators, at + offsets[i], value);
      }
    }

    @Override
    public void mergeAt(long[] into, int at, long[] from, int fromAt) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        parts[i].mergeAt(into, at + offsets[i], from, fromAt + offsets[i]);
      }
    }

    @Override
    public void subtractAt(long[] from, int at, long[] part, int partAt) throws Exception {
      for (int i = 0; i < parts.length; i++) {
        parts[i].subtractAt(from, at + offsets[i], part, partAt + offsets[i]);
      }
    }

    @Override
    public boolean subtractable() {
      return List.of(parts).stream().allMatch(ColumnAggregator::subtractable);
    }

    @Override
    public R resultAt(long[] accumulators, int at) throws Exception {
      return results.of(parts, offsets, accumulators, at);
    }
  }

  /** What the compositions share. */
  private interface Composed<V, R> extends Aggregator<V, Object[], R> {
    Parts parts();

    @Override
    default Object[] create() throws Exception {
      return parts().create();
    }

    @Override
    default Object[] add(Object[] accumulator, V value) throws Exception {
      return parts().add(accumulator, value);
    }

    @Override
    default Object[] merge(Object[] into, Object[] from) throws Exception {
      return parts().merge(into, from);
    }

    @Override
    default Object[] subtract(Object[] from, Object[] part) throws Exception {
      return parts().subtract(from, part);
    }

    @Override
    default boolean mergeable() {
      return parts().mergeable();
    }

    @Override
    default boolean subtractable() {
      return parts().subtractable();
    }

    @Override
    default @Nullable Type valueType() {
      return parts().valueType();
    }

    @Override
    default Type accumulatorType() {
      return Object[].class;
    }
  }

  private record Both<V, A, B, R>(Parts parts, Combiner<? super A, ? super B, ? extends R> combiner)
      implements Composed<V, R> {
    Both {
      Objects.requireNonNull(combiner, "combiner");
    }

    @Override
    @SuppressWarnings("unchecked") // the parts are those that the combiner was declared with
    public R result(Object[] accumulator) throws Exception {
      return combiner.apply((A) parts.result(0, accumulator), (B) parts.result(1, accumulator));
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public @Nullable ColumnAggregator<V, R> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) ->
              combiner.apply(
                  (A) p[0].resultAt(accumulators, at),
                  (B) p[1].resultAt(accumulators, at + offsets[1])));
    }

    @Override
    public @Nullable Type resultType() {
      return resultOf(combiner, Combiner.class);
    }

    @Override
    public String toString() {
      return "both(" + parts + ")";
    }
  }

  private record Three<V, A, B, C, R>(
      Parts parts, Combiner3<? super A, ? super B, ? super C, ? extends R> combiner)
      implements Composed<V, R> {
    Three {
      Objects.requireNonNull(combiner, "combiner");
    }

    @Override
    @SuppressWarnings("unchecked") // the parts are those that the combiner was declared with
    public R result(Object[] accumulator) throws Exception {
      return combiner.apply(
          (A) parts.result(0, accumulator),
          (B) parts.result(1, accumulator),
          (C) parts.result(2, accumulator));
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public @Nullable ColumnAggregator<V, R> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) ->
              combiner.apply(
                  (A) p[0].resultAt(accumulators, at),
                  (B) p[1].resultAt(accumulators, at + offsets[1]),
                  (C) p[2].resultAt(accumulators, at + offsets[2])));
    }

    @Override
    public @Nullable Type resultType() {
      return resultOf(combiner, Combiner3.class);
    }

    @Override
    public String toString() {
      return "three(" + parts + ")";
    }
  }

  private record All<V>(List<String> names, Parts parts)
      implements Composed<V, Map<String, Object>> {
    @Override
    public Map<String, Object> result(Object[] accumulator) throws Exception {
      Map<String, Object> results = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        results.put(names.get(i), parts.result(i, accumulator));
      }
      return Collections.unmodifiableMap(results);
    }

    @Override
    public @Nullable ColumnAggregator<V, Map<String, Object>> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) -> {
            Map<String, Object> results = new LinkedHashMap<>();
            for (int i = 0; i < p.length; i++) {
              results.put(names.get(i), p[i].resultAt(accumulators, at + offsets[i]));
            }
            return Collections.unmodifiableMap(results);
          });
    }

    @Override
    public Type resultType() {
      return new TypeRef<Map<String, Object>>() {}.type();
    }

    @Override
    public String toString() {
      return "all(" + parts + ")";
    }
  }
}
