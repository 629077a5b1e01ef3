package io.streamforge.examples.docs;

import static io.streamforge.examples.docs.DocRun.at;
import static io.streamforge.examples.docs.DocRun.outputOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Stream;
import io.streamforge.connector.Sinks;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.time.TimeDomain;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What {@code docs/operators.md} shows of processors. */
class ProcessTest {
  // tag::processor[]
  /** Emits how many records a key has had, once it has been quiet for a minute of event time. */
  static final class WhenQuiet implements Processor<String, String, String, Long> {
    private static final long QUIET_MILLIS = 60_000;

    private LongState count;
    private LongState deadline;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
      deadline = states.longValue("deadline");
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, Long> context) {
      if (count.add(1) > 1) {
        context.timers().deleteEventTimer(deadline.get());
      }
      deadline.set(context.timestampMillis() + QUIET_MILLIS);
      context.timers().setEventTimer(deadline.get());
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Long> context) {
      context.emit(key, count.get());
      count.clear();
      deadline.clear();
    }
  }

  // end::processor[]

  @Test
  void eventTimers() {
    Stream<String, String> lines = DocRun.strings();
    // tag::process[]
    Stream<String, Long> sizes = lines.groupByKey().process("when-quiet", WhenQuiet::new);
    // end::process[]
    try (DocRun run = DocRun.start(sizes)) {
      run.pipe(at(0, "a", "x"), at(30_000, "a", "y"));
      assertThat(run.read()).isEmpty();
      run.pipe(at(95_000, "b", "z"));
      assertThat(run.read()).containsExactly("a=2@90000");
      assertThat(run.end().read()).containsExactly("b=1@155000");
    }
  }

  // tag::sides[]
  /** Passes each value of a key once; repetitions go to the side. */
  static final class Distinct implements Processor<String, String, String, String> {
    static final SideOutput<String, String> REPEATED = SideOutput.of("repeated");

    private MapState<String, Boolean> seen;

    @Override
    public void states(StateDeclarations states) {
      seen = states.map("seen", String.class, Boolean.class);
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, String> context) {
      if (seen.get(value) == null) {
        seen.put(value, true);
        context.emit(key, value);
      } else {
        context.emit(REPEATED, key, value);
      }
    }
  }

  // end::sides[]

  @Test
  void sideOutputs() {
    Stream<String, String> lines = DocRun.strings();
    // tag::sideOutput[]
    Stream<String, String> distinct = lines.groupByKey().process("distinct", Distinct::new);
    Stream<String, String> repeated = distinct.sideOutput(Distinct.REPEATED);
    // end::sideOutput[]
    repeated.sink("repeated-out", Sinks.none());
    try (DocRun run = DocRun.start(distinct)) {
      run.pipe(at(1, "a", "x"), at(2, "a", "x"), at(3, "b", "x"));
      assertThat(run.read()).containsExactly("a=x@1", "b=x@3");
      assertThat(DocRun.strings(run.driver().output("repeated-out"))).containsExactly("a=x@2");
    }
  }

  // tag::expiring[]
  /** Passes a value of a key when it has not been passed within the last hour. */
  static final class OnceAnHour implements Processor<String, String, String, String> {
    private MapState<String, Boolean> passed;

    @Override
    public void states(StateDeclarations states) {
      TimeToLive anHour = TimeToLive.of(Duration.ofHours(1));
      passed = states.expiring(anHour).map("passed", String.class, Boolean.class);
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, String> context) {
      if (passed.get(value) == null) {
        passed.put(value, true);
        context.emit(key, value);
      }
    }
  }

  // end::expiring[]

  @Test
  void stateThatExpires() {
    Stream<String, String> passed =
        DocRun.strings().groupByKey().process("once-an-hour", OnceAnHour::new);
    try (DocRun run = DocRun.start(passed)) {
      run.pipe(at(0, "a", "x"), at(1, "a", "y"), at(3_599_999, "a", "x"));
      assertThat(run.read()).containsExactly("a=x@0", "a=y@1");
      // The watermark comes to where x expires and y does not.
      run.pipe(at(3_600_000, "b", "x"));
      run.pipe(at(3_600_000, "a", "x"), at(3_600_000, "a", "y"));
      assertThat(run.read()).containsExactly("b=x@3600000", "a=x@3600000");
    }
  }

  // tag::processing[]
  /** Collects what a key gets and emits it together, at most a second later. */
  static final class Bundle implements Processor<String, String, String, String> {
    private ListState<String> waiting;
    private ValueState<String> first;

    @Override
    public void states(StateDeclarations states) {
      waiting = states.list("waiting", String.class);
      first = states.value("first", String.class);
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, String> context) {
      if (first.get() == null) {
        first.set(value);
        context.timers().setProcessingTimer(context.processingTimeMillis() + 1_000);
      }
      waiting.add(value);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      context.emit(key, String.join("+", waiting.get()), context.watermarkMillis());
      waiting.clear();
      first.clear();
    }
  }

  // end::processing[]

  @Test
  void processingTimers() {
    Stream<String, String> bundles = DocRun.strings().groupByKey().process("bundle", Bundle::new);
    try (DocRun run = DocRun.start(bundles)) {
      run.pipe(at(7, "a", "x"), at(8, "a", "y"));
      run.driver().advanceTime(Duration.ofMillis(999));
      assertThat(run.read()).isEmpty();
      run.driver().advanceTime(Duration.ofMillis(1));
      assertThat(run.read()).containsExactly("a=x+y@8");
      run.pipe(at(9, "a", "z"));
      assertThat(run.end().read()).as("pending at the end of input").isEmpty();
    }
  }

  // tag::periodic[]
  /** Emits every minute of event time how many records a key has had, until all input has ended. */
  static final class EveryMinute implements Processor<String, String, String, Long> {
    private static final long MINUTE_MILLIS = 60_000;

    private LongState count;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, Long> context) {
      if (count.add(1) == 1) {
        context.timers().setEventTimer(context.timestampMillis() + MINUTE_MILLIS);
      }
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Long> context) {
      context.emit(key, count.get());
      if (context.watermarkMillis() < Long.MAX_VALUE) {
        context.timers().setEventTimer(timerMillis + MINUTE_MILLIS);
      }
    }
  }

  // end::periodic[]

  @Test
  void timersThatAreSetAgainAndAgain() {
    Stream<String, Long> counts =
        DocRun.strings().groupByKey().process("every-minute", EveryMinute::new);
    try (DocRun run = DocRun.start(counts)) {
      run.pipe(at(0, "a", "x"), at(150_000, "a", "y"));
      assertThat(run.read()).containsExactly("a=2@60000", "a=2@120000");
      assertThat(run.end().read()).containsExactly("a=2@180000");
    }
  }

  @Test
  void whatNobodyReadsIsGone() {
    Stream<String, String> distinct =
        DocRun.strings().groupByKey().process("distinct", Distinct::new);
    assertThat(outputOf(distinct, at(5, "a", "x"), at(6, "a", "x"))).containsExactly("a=x@5");
  }
}
