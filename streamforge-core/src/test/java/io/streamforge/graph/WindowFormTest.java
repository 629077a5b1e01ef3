package io.streamforge.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.function.Aggregates;
import io.streamforge.graph.Node.Accumulation;
import io.streamforge.graph.Node.Aggregation;
import io.streamforge.graph.Node.WindowNode;
import io.streamforge.graph.Node.Windowing;
import io.streamforge.graph.WindowForm.Kind;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowFormTest {
  private static final Windows MINUTES = Windows.tumbling(Duration.ofMinutes(1));
  private static final Aggregation COUNT = new Aggregation("count", Aggregates.count(), null);
  private static final Aggregation LAST =
      new Aggregation("aggregate", new TopologyProblemsTest.Last(), null);

  private static WindowForm form(
      Windows windows,
      Trigger<?> early,
      Trigger<?> late,
      Accumulation accumulation,
      Aggregation aggregation) {
    return WindowForm.of(
        new WindowNode(
            "w",
            Port.main("in"),
            new Windowing(windows, Duration.ofHours(1), early, late, accumulation, null),
            aggregation));
  }

  static List<Windows> sliced() {
    return List.of(
        MINUTES,
        Windows.sliding(Duration.ofHours(1), Duration.ofMillis(7)),
        Windows.days(ZoneOffset.UTC),
        Windows.global());
  }

  @ParameterizedTest
  @MethodSource("sliced")
  void windowsThatFireAtCloseShareSlices(Windows windows) {
    assertThat(form(windows, null, null, Accumulation.ACCUMULATING, COUNT))
        .isEqualTo(
            new WindowForm(Kind.SLICES, "the aggregate merges and windows fire when they close"));
  }

  @Test
  void discardingNeedsAnAccumulatorForEachWindow() {
    assertThat(form(MINUTES, null, null, Accumulation.DISCARDING, COUNT))
        .isEqualTo(new WindowForm(Kind.PER_WINDOW, "discarding empties each window by itself"));
  }

  @Test
  void triggersNeedAnAccumulatorForEachWindow() {
    Trigger<?> trigger = Triggers.everyRecords(2);
    assertThat(form(MINUTES, trigger, null, Accumulation.ACCUMULATING, COUNT))
        .isEqualTo(
            new WindowForm(Kind.PER_WINDOW, "an early trigger looks at each window by itself"));
    assertThat(form(MINUTES, null, trigger, Accumulation.ACCUMULATING, COUNT))
        .isEqualTo(
            new WindowForm(Kind.PER_WINDOW, "a late trigger looks at each window by itself"));
  }

  @Test
  void aggregateThatDoesNotMergeNeedsAnAccumulatorForEachWindow() {
    assertThat(form(MINUTES, null, null, Accumulation.ACCUMULATING, LAST))
        .isEqualTo(new WindowForm(Kind.PER_WINDOW, "the aggregate does not merge"));
  }

  @Test
  void sessionsAreAFormOfTheirOwn() {
    assertThat(
            form(
                    Windows.session(Duration.ofMinutes(1)),
                    Triggers.everyRecords(2),
                    null,
                    Accumulation.DISCARDING,
                    COUNT)
                .kind())
        .isEqualTo(Kind.SESSIONS);
  }
}
