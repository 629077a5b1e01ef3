package io.streamforge.examples.docs;

import static io.streamforge.examples.docs.DocRun.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.connector.Sinks;
import io.streamforge.function.SideOutput;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.window.Decision;
import io.streamforge.window.Trigger;
import io.streamforge.window.TriggerContext;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code docs/operators.md} shows of windows. */
class WindowsTest {
  private final KeyedStream<String, Long> amounts = DocRun.longs().groupByKey();

  @SafeVarargs
  @SuppressWarnings("varargs")
  private static List<String> atTheEnd(Stream<?, ?> result, Record<String, Long>... input) {
    try (DocRun run = DocRun.start(result)) {
      return run.pipe(input).end().read();
    }
  }

  @Test
  void tumbling() {
    // tag::tumbling[]
    Stream<String, Windowed<Long>> perMinute =
        amounts.window(Windows.tumbling(Duration.ofMinutes(1))).sum("per-minute", amount -> amount);
    // end::tumbling[]
    try (DocRun run = DocRun.start(perMinute)) {
      run.pipe(at(0, "a", 5L), at(59_999, "a", 7L));
      assertThat(run.read()).isEmpty();
      run.pipe(at(60_000, "b", 9L));
      assertThat(run.read()).containsExactly("a=[0,60000)=12@59999");
      assertThat(run.end().read()).containsExactly("b=[60000,120000)=9@119999");
    }
  }

  @Test
  void resultsHaveNoHeaders() {
    Stream<String, Windowed<Long>> perMinute =
        amounts.window(Windows.tumbling(Duration.ofMinutes(1))).count("per-minute");
    assertThat(atTheEnd(perMinute, new Record<>("a", 5L, 0, Headers.of("trace", "42"))))
        .containsExactly("a=[0,60000)=1@59999");
  }

  @Test
  void sliding() {
    // tag::sliding[]
    Stream<String, Windowed<Long>> moving =
        amounts
            .window(Windows.sliding(Duration.ofSeconds(10), Duration.ofSeconds(5)))
            .count("moving");
    // end::sliding[]
    assertThat(atTheEnd(moving, at(7_000, "a", 1L), at(12_000, "a", 1L)))
        .containsExactly("a=[0,10000)=1@9999", "a=[5000,15000)=2@14999", "a=[10000,20000)=1@19999");
  }

  @Test
  void offset() {
    // tag::offset[]
    Stream<String, Windowed<Long>> shifted =
        amounts
            .window(Windows.tumbling(Duration.ofHours(1)).offset(Duration.ofMinutes(15)))
            .count("from-quarter-past");
    // end::offset[]
    assertThat(atTheEnd(shifted, at(0, "a", 1L))).containsExactly("a=[-2700000,900000)=1@899999");
  }

  @Test
  void session() {
    // tag::session[]
    Stream<String, Windowed<Double>> visits =
        amounts.window(Windows.session(Duration.ofSeconds(30))).average("visit", amount -> amount);
    // end::session[]
    assertThat(atTheEnd(visits, at(0, "a", 1L), at(29_999, "a", 2L), at(59_999, "a", 9L)))
        .containsExactly("a=[0,59999)=1.5@59998", "a=[59999,89999)=9.0@89998");
  }

  @Test
  void calendar() {
    // tag::calendar[]
    Stream<String, Windowed<Long>> daily =
        amounts.window(Windows.days(ZoneId.of("Europe/Berlin"))).count("daily");
    // end::calendar[]
    assertThat(atTheEnd(daily, at(0, "a", 1L), at(82_800_000, "a", 1L)))
        .containsExactly("a=[-3600000,82800000)=1@82799999", "a=[82800000,169200000)=1@169199999");
  }

  @Test
  void global() {
    // tag::global[]
    Stream<String, Windowed<Long>> totals = amounts.window(Windows.global()).count("total");
    // end::global[]
    assertThat(atTheEnd(totals, at(1, "a", 1L), at(2, "a", 1L)))
        .containsExactly("a=[global)=2@9223372036854775806");
  }

  @Test
  void otherAggregates() {
    // tag::windowed-aggregates[]
    var minutes = amounts.window(Windows.tumbling(Duration.ofMinutes(1)));
    Stream<String, Windowed<Long>> least = minutes.min("least", amount -> amount);
    Stream<String, Windowed<Long>> most = minutes.max("most", amount -> amount);
    Stream<String, Windowed<Double>> weight = minutes.sumDouble("weight", amount -> amount);
    Stream<String, Windowed<Long>> last = minutes.reduce("last", (earlier, later) -> later);
    Stream<String, Windowed<Long>> spread =
        minutes.aggregate("spread", new AggregatesTest.Spread());
    // end::windowed-aggregates[]
    least.sink("least-out", Sinks.none());
    most.sink("most-out", Sinks.none());
    weight.sink("weight-out", Sinks.none());
    last.sink("last-out", Sinks.none());
    try (DocRun run = DocRun.start(spread)) {
      run.pipe(at(1, "a", 5L), at(2, "a", 9L), at(3, "a", 7L)).end();
      assertThat(DocRun.strings(run.driver().output("least-out")))
          .containsExactly("a=[0,60000)=5@59999");
      assertThat(DocRun.strings(run.driver().output("most-out")))
          .containsExactly("a=[0,60000)=9@59999");
      assertThat(DocRun.strings(run.driver().output("weight-out")))
          .containsExactly("a=[0,60000)=21.0@59999");
      assertThat(DocRun.strings(run.driver().output("last-out")))
          .containsExactly("a=[0,60000)=7@59999");
      assertThat(run.read()).containsExactly("a=[0,60000)=4@59999");
    }
  }

  @Test
  void lateness() {
    // tag::lateness[]
    SideOutput<String, Long> tooLate = SideOutput.of("too-late");
    Stream<String, Windowed<Long>> perMinute =
        amounts
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .allowedLateness(Duration.ofSeconds(10))
            .lateTo(tooLate)
            .count("per-minute");
    Stream<String, Long> late = perMinute.sideOutput(tooLate);
    // end::lateness[]
    late.sink("late-out", Sinks.none());
    try (DocRun run = DocRun.start(perMinute)) {
      run.pipe(at(1, "a", 1L), at(60_000, "b", 1L));
      assertThat(run.read()).containsExactly("a=[0,60000)=1@59999");
      run.pipe(at(2, "a", 1L));
      assertThat(run.read()).as("a refinement").containsExactly("a=[0,60000)=2@59999");
      run.pipe(at(70_000, "b", 1L)).pipe(at(3, "a", 1L));
      assertThat(run.read()).isEmpty();
      assertThat(DocRun.strings(run.driver().output("late-out"))).containsExactly("a=1@3");
      assertThat(run.metrics().node("per-minute").late()).isEqualTo(1);
    }
  }

  @Test
  void earlyTrigger() {
    // tag::trigger[]
    Stream<String, Windowed<Long>> perMinute =
        amounts
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .trigger(Triggers.everyRecords(2))
            .count("per-minute");
    // end::trigger[]
    try (DocRun run = DocRun.start(perMinute)) {
      run.pipe(at(1, "a", 1L), at(2, "a", 1L), at(3, "a", 1L));
      assertThat(run.read()).containsExactly("a=[0,60000)=2@59999");
      assertThat(run.end().read()).containsExactly("a=[0,60000)=3@59999");
    }
  }

  @Test
  void discarding() {
    // tag::discarding[]
    Stream<String, Windowed<Long>> perMinute =
        amounts
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .trigger(Triggers.everyProcessingTime(Duration.ofSeconds(1)))
            .discarding()
            .count("per-minute");
    // end::discarding[]
    try (DocRun run = DocRun.start(perMinute)) {
      run.pipe(at(1, "a", 1L), at(2, "a", 1L));
      run.driver().advanceTime(Duration.ofSeconds(1));
      assertThat(run.read()).containsExactly("a=[0,60000)=2@59999");
      run.pipe(at(3, "a", 1L));
      assertThat(run.end().read()).containsExactly("a=[0,60000)=1@59999");
    }
  }

  @Test
  void lateTrigger() {
    // tag::lateTrigger[]
    Stream<String, Windowed<Long>> perMinute =
        amounts
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .allowedLateness(Duration.ofSeconds(10))
            .lateTrigger(Triggers.everyRecords(2))
            .count("per-minute");
    // end::lateTrigger[]
    try (DocRun run = DocRun.start(perMinute)) {
      run.pipe(at(1, "a", 1L), at(60_000, "b", 1L));
      assertThat(run.read()).containsExactly("a=[0,60000)=1@59999");
      run.pipe(at(2, "a", 1L));
      assertThat(run.read()).isEmpty();
      run.pipe(at(3, "a", 1L));
      assertThat(run.read()).containsExactly("a=[0,60000)=3@59999");
    }
  }

  // tag::custom[]
  /** Fires once, as soon as a window has a given number of records. */
  record OnceFull<K>(long records) implements Trigger<K> {
    @Override
    public Decision onRecord(TriggerContext<K> context) {
      if (context.memory() == 0 && context.count() >= records) {
        context.memory(1);
        return Decision.FIRE;
      }
      return Decision.CONTINUE;
    }
  }

  // end::custom[]

  @Test
  void customTrigger() {
    Stream<String, Windowed<Long>> counts =
        amounts
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .trigger(new OnceFull<>(2))
            .count("count");
    try (DocRun run = DocRun.start(counts)) {
      run.pipe(at(1, "a", 1L), at(2, "a", 1L), at(3, "a", 1L), at(4, "a", 1L));
      assertThat(run.read()).containsExactly("a=[0,60000)=2@59999");
      assertThat(run.end().read()).containsExactly("a=[0,60000)=4@59999");
    }
  }
}
