package io.streamforge.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AggregatesTest {
  /** The result over all values, folded one by one. */
  private static <V, A, R> R fold(Aggregator<V, A, R> aggregator, List<V> values) throws Exception {
    A accumulator = aggregator.create();
    for (V value : values) {
      accumulator = aggregator.add(accumulator, value);
    }
    return aggregator.result(accumulator);
  }

  /** The result over all values, folded in two parts that are then merged. */
  private static <V, A, R> R foldMerged(Aggregator<V, A, R> aggregator, List<V> values, int cut)
      throws Exception {
    A left = aggregator.create();
    for (V value : values.subList(0, cut)) {
      left = aggregator.add(left, value);
    }
    A right = aggregator.create();
    for (V value : values.subList(cut, values.size())) {
      right = aggregator.add(right, value);
    }
    return aggregator.result(aggregator.merge(left, right));
  }

  private static Aggregator<Double, ?, Double> sumDouble() {
    return Aggregates.sumDouble(value -> value);
  }

  private static Aggregator<Double, ?, Double> average() {
    return Aggregates.average(value -> value);
  }

  @Test
  void countCountsAndSubtracts() throws Exception {
    Aggregator<String, ?, Long> count = Aggregates.count();

    assertThat(fold(count, List.of("a", "b", "c"))).isEqualTo(3);
    assertThat(count.subtractable()).isTrue();
    assertThat(subtracted(count, List.of("a", "b", "c"), List.of("a"))).isEqualTo(2);
  }

  private static <V, A, R> R subtracted(Aggregator<V, A, R> aggregator, List<V> all, List<V> part)
      throws Exception {
    A whole = aggregator.create();
    for (V value : all) {
      whole = aggregator.add(whole, value);
    }
    A less = aggregator.create();
    for (V value : part) {
      less = aggregator.add(less, value);
    }
    return aggregator.result(aggregator.subtract(whole, less));
  }

  @Test
  void sumFailsWhenItOverflowsAndSaysWhat() {
    Aggregator<Long, ?, Long> sum = Aggregates.sum(value -> value);

    assertThatThrownBy(() -> fold(sum, List.of(Long.MAX_VALUE, 1L)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(
            "the sum overflows a long: 9223372036854775807 + 1; sum with Overflow.WRAP, or as"
                + " doubles with sumDouble");
  }

  @Test
  void sumWrapsWhenAskedTo() throws Exception {
    Aggregator<Long, ?, Long> sum = Aggregates.sum(value -> value, Overflow.WRAP);

    assertThat(fold(sum, List.of(Long.MAX_VALUE, 1L))).isEqualTo(Long.MIN_VALUE);
    assertThat(subtracted(sum, List.of(5L, 7L), List.of(5L))).isEqualTo(7L);
  }

  @Test
  void sumOfDoublesKeepsWhatIsSmall() throws Exception {
    assertThat(fold(sumDouble(), List.of(1e100, 1.0, -1e100))).isEqualTo(1.0);
    assertThat(fold(sumDouble(), List.of(0.1, 0.2, 0.3, -0.3, -0.2, -0.1))).isEqualTo(0.0);
  }

  @Test
  void sumOfDoublesDoesNotOverflowOnTheWay() throws Exception {
    double max = Double.MAX_VALUE;

    assertThat(fold(sumDouble(), List.of(max, max, -max))).isEqualTo(max);
    assertThat(fold(sumDouble(), List.of(max, max))).isEqualTo(Double.POSITIVE_INFINITY);
  }

  @Test
  void sumOfDoublesWithWhatIsNotFiniteIsAsIfAdded() throws Exception {
    double infinity = Double.POSITIVE_INFINITY;

    assertThat(fold(sumDouble(), List.of(1.0, infinity, 2.0))).isEqualTo(infinity);
    assertThat(fold(sumDouble(), List.of(infinity, -infinity))).isNaN();
    assertThat(fold(sumDouble(), List.of(1.0, Double.NaN))).isNaN();
  }

  @Test
  void averageOfLargeValuesIsFinite() throws Exception {
    double max = Double.MAX_VALUE;

    assertThat(fold(average(), List.of(max, max, max))).isEqualTo(max);
    assertThat(fold(average(), List.of(max, -max))).isEqualTo(0.0);
    assertThat(fold(average(), List.of(max, max / 2))).isEqualTo(max * 0.75);
  }

  @Test
  void averageOfSmallValuesIsExact() throws Exception {
    assertThat(fold(average(), List.of(Double.MIN_VALUE, Double.MIN_VALUE)))
        .isEqualTo(Double.MIN_VALUE);
    assertThat(fold(average(), List.of(1.0, 2.0, 4.0, 5.0))).isEqualTo(3.0);
  }

  @Test
  void extremesOrderDoublesAsDoubleCompareDoes() throws Exception {
    Aggregator<Double, ?, Double> min = Aggregates.min(value -> value);
    Aggregator<Double, ?, Double> max = Aggregates.max(value -> value);

    assertThat(fold(min, List.of(2.0, Double.NaN, 1.0))).isEqualTo(1.0);
    assertThat(fold(max, List.of(2.0, Double.NaN, 1.0))).isNaN();
    assertThat(fold(min, List.of(0.0, -0.0))).isEqualTo(-0.0);
  }

  @Test
  void earliestOfEqualExtremesIsKept() throws Exception {
    record Ranked(int rank, String name) implements Comparable<Ranked> {
      @Override
      public int compareTo(Ranked other) {
        return Integer.compare(rank, other.rank);
      }
    }
    Aggregator<Ranked, ?, Ranked> max = Aggregates.max(value -> value);
    List<Ranked> values = List.of(new Ranked(1, "a"), new Ranked(2, "b"), new Ranked(2, "c"));

    assertThat(fold(max, values).name()).isEqualTo("b");
    assertThat(foldMerged(max, values, 2).name()).isEqualTo("b");
  }

  @Test
  void extremeOfNullSaysWhichFunctionReturnedIt() {
    Aggregator<String, ?, String> min = Aggregates.min(value -> null);

    assertThatThrownBy(() -> fold(min, List.of("a"))).hasMessage("min: the function returned null");
  }

  @Test
  void reduceCombinesInOrder() throws Exception {
    Aggregator<String, ?, String> joined = Aggregates.reduce((left, right) -> left + right);

    assertThat(fold(joined, List.of("a", "b", "c"))).isEqualTo("abc");
    assertThat(foldMerged(joined, List.of("a", "b", "c"), 1)).isEqualTo("abc");
    assertThat(foldMerged(joined, List.of("a", "b", "c"), 0)).isEqualTo("abc");
  }

  @Test
  void severalAggregatesFoldInOnePass() throws Exception {
    Aggregator<Long, ?, String> both =
        Aggregates.both(
            Aggregates.count(),
            Aggregates.<Long>sum(value -> value),
            (count, sum) -> sum + " in " + count);
    Aggregator<Long, ?, Double> three =
        Aggregates.three(
            Aggregates.<Long, Long>min(value -> value),
            Aggregates.<Long, Long>max(value -> value),
            Aggregates.<Long>average(value -> value),
            (min, max, mean) -> min + max + mean);
    Map<String, Aggregator<Long, ?, ?>> named = new LinkedHashMap<>();
    named.put("z", Aggregates.count());
    named.put("a", Aggregates.max(value -> value));
    Aggregator<Long, ?, Map<String, Object>> all = Aggregates.all(named);

    assertThat(fold(both, List.of(2L, 3L))).isEqualTo("5 in 2");
    assertThat(both.subtractable()).isTrue();
    assertThat(fold(three, List.of(1L, 2L, 3L))).isEqualTo(6.0);
    assertThat(three.subtractable()).isFalse();
    assertThat(fold(all, List.of(1L, 9L))).hasToString("{z=2, a=9}");
  }

  @Test
  void resultsDoNotDependOnWhereAccumulatorsAreMerged() throws Exception {
    Random random = new Random(7);
    for (int run = 0; run < 500; run++) {
      List<Double> values = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(8); i++) {
        double scale = Math.pow(2, random.nextInt(1000) - 500);
        values.add(random.nextGaussian() * scale);
      }
      int cut = random.nextInt(values.size() + 1);
      for (Aggregator<Double, ?, Double> aggregator :
          List.of(
              sumDouble(),
              average(),
              Aggregates.<Double, Double>min(value -> value),
              Aggregates.<Double, Double>max(value -> value))) {
        double merged = foldMerged(aggregator, values, cut);
        double single = fold(aggregator, values);
        assertThat(merged).as("%s of %s", aggregator, values).isEqualTo(single);
      }
    }
  }
}
