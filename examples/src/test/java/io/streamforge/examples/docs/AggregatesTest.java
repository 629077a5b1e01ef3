package io.streamforge.examples.docs;

import static io.streamforge.examples.docs.DocRun.at;
import static io.streamforge.examples.docs.DocRun.outputOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Overflow;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code docs/operators.md} shows of aggregates. */
class AggregatesTest {
  private final KeyedStream<String, Long> amounts = DocRun.longs().groupByKey();
  private final KeyedStream<String, Double> weights = DocRun.doubles().groupByKey();
  private final KeyedStream<String, String> words = DocRun.strings().groupByKey();

  @Test
  void count() {
    // tag::count[]
    Stream<String, Long> counts = amounts.count("count");
    // end::count[]
    assertThat(outputOf(counts, at(1, "a", 5L), at(2, "b", 7L), at(3, "a", 9L)))
        .containsExactly("a=1@1", "b=1@2", "a=2@3");
  }

  @Test
  void countCountsRecordsWithoutValue() {
    assertThat(
            outputOf(amounts.count("count"), DocRun.<String, @Nullable Long>record("a", null, 1)))
        .containsExactly("a=1@1");
  }

  @Test
  void sum() {
    // tag::sum[]
    Stream<String, Long> totals = amounts.sum("total", amount -> amount);
    // end::sum[]
    assertThat(outputOf(totals, at(1, "a", 5L), at(2, "a", 9L))).containsExactly("a=5@1", "a=14@2");
  }

  @Test
  void sumThatOverflowsFails() {
    Stream<String, Long> totals = amounts.sum("total", amount -> amount);
    assertThatThrownBy(() -> outputOf(totals, at(1, "a", Long.MAX_VALUE), at(2, "a", 1L)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("the sum overflows a long");
  }

  @Test
  void sumThatWraps() {
    // tag::wrap[]
    Stream<String, Long> totals =
        amounts.aggregate("total", Aggregates.sum((Long amount) -> amount, Overflow.WRAP));
    // end::wrap[]
    assertThat(outputOf(totals, at(1, "a", Long.MAX_VALUE), at(2, "a", 1L)))
        .containsExactly("a=9223372036854775807@1", "a=-9223372036854775808@2");
  }

  @Test
  void sumDouble() {
    // tag::sumDouble[]
    Stream<String, Double> totals = weights.sumDouble("total", weight -> weight);
    // end::sumDouble[]
    assertThat(outputOf(totals, at(1, "a", 1e16), at(2, "a", 1.0), at(3, "a", -1e16)))
        .containsExactly("a=1.0E16@1", "a=1.0E16@2", "a=1.0@3");
  }

  @Test
  void average() {
    // tag::average[]
    Stream<String, Double> means = amounts.average("mean", amount -> amount);
    // end::average[]
    assertThat(outputOf(means, at(1, "a", 1L), at(2, "a", 2L)))
        .containsExactly("a=1.0@1", "a=1.5@2");
  }

  @Test
  void averageOfLargeValuesDoesNotOverflow() {
    Stream<String, Double> means = weights.average("mean", weight -> weight);
    assertThat(outputOf(means, at(1, "a", Double.MAX_VALUE), at(2, "a", Double.MAX_VALUE)))
        .containsExactly("a=1.7976931348623157E308@1", "a=1.7976931348623157E308@2");
  }

  @Test
  void minAndMax() {
    // tag::min[]
    Stream<String, Long> least = amounts.min("least", amount -> amount);
    Stream<String, Long> most = amounts.max("most", amount -> amount);
    // end::min[]
    least.sink("least-out", io.streamforge.connector.Sinks.none());
    try (DocRun run = DocRun.start(most)) {
      run.pipe(at(1, "a", 5L), at(2, "a", 9L), at(3, "a", 3L));
      assertThat(DocRun.strings(run.driver().output("least-out")))
          .containsExactly("a=5@1", "a=5@2", "a=3@3");
      assertThat(run.read()).containsExactly("a=5@1", "a=9@2", "a=9@3");
    }
  }

  @Test
  void notANumberIsTheLargestAndMinusZeroIsBelowZero() {
    Stream<String, Double> most = weights.max("most", weight -> weight);
    weights.min("least", weight -> weight).sink("least-out", io.streamforge.connector.Sinks.none());
    try (DocRun run = DocRun.start(most)) {
      run.pipe(at(1, "a", Double.NaN), at(2, "a", 0.0), at(3, "a", -0.0));
      assertThat(DocRun.strings(run.driver().output("least-out")))
          .containsExactly("a=NaN@1", "a=0.0@2", "a=-0.0@3");
      assertThat(run.read()).containsExactly("a=NaN@1", "a=NaN@2", "a=NaN@3");
    }
  }

  @Test
  void minOfNullFails() {
    Stream<String, Long> least = amounts.min("least", amount -> amount);
    assertThatThrownBy(() -> outputOf(least, DocRun.<String, @Nullable Long>record("a", null, 1)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("min: the function returned null");
  }

  @Test
  void reduce() {
    // tag::reduce[]
    Stream<String, String> joined = words.reduce("join", (left, right) -> left + " " + right);
    // end::reduce[]
    assertThat(outputOf(joined, at(1, "a", "the"), at(2, "a", "fox")))
        .containsExactly("a=the@1", "a=the fox@2");
  }

  // tag::aggregator[]
  /** The spread of values: the largest less the smallest. */
  static final class Spread implements Aggregator<Long, Spread.Bounds, Long> {
    record Bounds(long least, long most) {}

    @Override
    public Bounds create() {
      return new Bounds(Long.MAX_VALUE, Long.MIN_VALUE);
    }

    @Override
    public Bounds add(Bounds bounds, Long value) {
      return new Bounds(Math.min(bounds.least(), value), Math.max(bounds.most(), value));
    }

    @Override
    public Bounds merge(Bounds into, Bounds from) {
      return new Bounds(Math.min(into.least(), from.least()), Math.max(into.most(), from.most()));
    }

    @Override
    public Long result(Bounds bounds) {
      return bounds.most() - bounds.least();
    }
  }

  // end::aggregator[]

  @Test
  void aggregate() {
    // tag::aggregate[]
    Stream<String, Long> spreads = amounts.aggregate("spread", new Spread());
    // end::aggregate[]
    assertThat(outputOf(spreads, at(1, "a", 5L), at(2, "a", 9L), at(3, "a", 2L)))
        .containsExactly("a=0@1", "a=4@2", "a=7@3");
  }

  // tag::both-record[]
  record Totals(long orders, long amount) {}

  // end::both-record[]

  @Test
  void both() {
    // tag::both[]
    Stream<String, Totals> totals =
        amounts.aggregate(
            "totals",
            Aggregates.both(
                Aggregates.<Long>count(), Aggregates.sum((Long amount) -> amount), Totals::new));
    // end::both[]
    assertThat(outputOf(totals, at(1, "a", 5L), at(2, "a", 9L)))
        .containsExactly("a=Totals[orders=1, amount=5]@1", "a=Totals[orders=2, amount=14]@2");
  }

  @Test
  void three() {
    // tag::three[]
    Stream<String, String> totals =
        amounts.aggregate(
            "totals",
            Aggregates.three(
                Aggregates.<Long>count(),
                Aggregates.sum((Long amount) -> amount),
                Aggregates.max((Long amount) -> amount),
                (count, sum, max) -> count + " orders, " + sum + " in all, at most " + max));
    // end::three[]
    assertThat(outputOf(totals, at(1, "a", 5L), at(2, "a", 9L)))
        .containsExactly("a=1 orders, 5 in all, at most 5@1", "a=2 orders, 14 in all, at most 9@2");
  }

  @Test
  void all() {
    // tag::all[]
    Map<String, Aggregator<Long, ?, ?>> parts = new LinkedHashMap<>();
    parts.put("orders", Aggregates.count());
    parts.put("amount", Aggregates.sum((Long amount) -> amount));
    parts.put("mean", Aggregates.average((Long amount) -> amount));
    Stream<String, Map<String, Object>> totals = amounts.aggregate("totals", Aggregates.all(parts));
    // end::all[]
    assertThat(outputOf(totals, at(1, "a", 5L), at(2, "a", 10L)))
        .containsExactly(
            "a={orders=1, amount=5, mean=5.0}@1", "a={orders=2, amount=15, mean=7.5}@2");
  }
}
