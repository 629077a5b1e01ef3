package io.streamforge.testkit.cases;

import static io.streamforge.testkit.cases.WindowScripts.LATE;
import static io.streamforge.testkit.cases.WindowScripts.kept;
import static io.streamforge.testkit.cases.WindowScripts.run;
import static io.streamforge.testkit.cases.WindowScripts.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.graph.Node.Accumulation;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Case group W at operator level. Values are strings, put one behind the other. */
class WindowCasesTest {
  private static final long MAX = Long.MAX_VALUE;
  private static final long MIN = Long.MIN_VALUE;
  private static final Windows TUMBLING = Windows.tumbling(millis(10));
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static long at(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void w01NegativeTimesAreRoundedDown() throws Exception {
    run(
        kept(TUMBLING, 0),
        operator -> {
          operator.record("k", "a", -1).record("k", "b", -10).record("k", "c", -11);
          operator.record("k", "d", 0).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[-20,-10)=c@-11", "k=[-10,0)=ab@-1", "k=[0,10)=d@9");
        });
  }

  @Test
  void w01OffsetsShiftWindowsAlsoBelowZero() throws Exception {
    run(
        kept(Windows.tumbling(millis(10)).offset(millis(3)), 0),
        operator -> {
          operator.record("k", "a", -8).record("k", "b", -7).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[-17,-7)=a@-8", "k=[-7,3)=b@2");
        });
  }

  @Test
  void w01AnOffsetCountsModuloTheSlideAndMayBeNegative() throws Exception {
    run(
        kept(Windows.tumbling(millis(10)).offset(millis(-27)), 0),
        operator -> {
          operator.record("k", "a", -8).record("k", "b", -7).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[-17,-7)=a@-8", "k=[-7,3)=b@2");
        });
  }

  @Test
  void w01EverySlidingWindowThatContainsARecordGetsItAndNoOther() throws Exception {
    run(
        kept(Windows.sliding(millis(10), millis(4)), 0),
        operator -> {
          operator.record("k", "a", -1).record("k", "b", 5).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[-8,2)=a@1", "k=[-4,6)=ab@5", "k=[0,10)=b@9", "k=[4,14)=b@13");
        });
  }

  @Test
  void w02AnAdvanceThatDoesNotDivideTheSize() throws Exception {
    run(
        kept(Windows.hopping(millis(10), millis(3)), 0),
        operator -> {
          operator.record("k", "a", 5).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[-3,7)=a@6", "k=[0,10)=a@9", "k=[3,13)=a@12");
        });
  }

  @Test
  void w02AnOffsetMovesHoppingWindowsToo() throws Exception {
    run(
        kept(Windows.hopping(millis(10), millis(3)).offset(millis(1)), 0),
        operator -> {
          operator.record("k", "a", -5).watermark(MAX);
          assertThat(operator.read())
              .containsExactly(
                  "k=[-14,-4)=a@-5", "k=[-11,-1)=a@-2", "k=[-8,2)=a@1", "k=[-5,5)=a@4");
        });
  }

  @Test
  void w03ARecordInAGapIsDroppedForThatReason() throws Exception {
    run(
        kept(Windows.hopping(millis(3), millis(10)), 0),
        operator -> {
          operator.record("k", "a", 5).record("k", "b", 12).record("k", "c", 13);
          operator.record("k", "d", -1).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[10,13)=b@12");
          assertThat(operator.counters().droppedByReason()).isEqualTo(Map.of("in no window", 3L));
          assertThat(operator.counters().late).isZero();
          assertThat(operator.output(LATE)).isEmpty();
        });
  }

  @Test
  void w04ARecordAtTheEndOfAWindowIsInTheNext() throws Exception {
    run(
        kept(TUMBLING, 0),
        operator -> {
          operator.record("k", "a", 10).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[10,20)=a@19");
        });
  }

  @Test
  void w05AKeptWindowIsRefinedUpToItsLatenessAndNotAtIt() throws Exception {
    run(
        kept(TUMBLING, 5),
        operator -> {
          operator.record("k", "a", 1).watermark(9);
          assertThat(operator.read()).isEmpty();
          operator.watermark(10);
          assertThat(operator.read()).containsExactly("k=[0,10)=a@9");
          operator.watermark(14).record("k", "b", 3);
          assertThat(operator.read()).containsExactly("k=[0,10)=ab@9");
          assertThat(operator.liveWindows()).isEqualTo(1);
          operator.watermark(15);
          assertThat(operator.liveWindows()).isZero();
          operator.record("k", "c", 3).watermark(MAX);
          assertThat(operator.read()).isEmpty();
          assertThat(operator.output(LATE)).hasToString("[k=c@3]");
          assertThat(operator.counters().late).isEqualTo(1);
          assertThat(operator.counters().processed).isEqualTo(2);
        });
  }

  @Test
  void w05OnlyTheWindowsThatAreClosedAndKeptAreRefined() throws Exception {
    // 5 lies in [-4,6), [0,10) and [4,14): gone, kept and open at 12.
    run(
        kept(Windows.sliding(millis(10), millis(4)), 5),
        operator -> {
          operator.record("k", "a", 5).watermark(12);
          assertThat(operator.read()).containsExactly("k=[-4,6)=a@5", "k=[0,10)=a@9");
          operator.record("k", "b", 5);
          assertThat(operator.read()).containsExactly("k=[0,10)=ab@9");
          operator.watermark(14);
          assertThat(operator.read()).containsExactly("k=[4,14)=ab@13");
        });
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(TUMBLING, 3, 10),
        Arguments.of(Windows.tumbling(millis(10)).offset(millis(3)), -8, -7),
        Arguments.of(Windows.sliding(millis(10), millis(4)), 5, 14),
        Arguments.of(Windows.sliding(millis(10), millis(3)), 5, 13),
        Arguments.of(Windows.sliding(millis(3), millis(10)), 12, 13),
        Arguments.of(Windows.days(BERLIN), at("2026-03-29T10:00:00Z"), at("2026-03-29T22:00:00Z")),
        Arguments.of(Windows.weeks(BERLIN), at("2026-03-24T10:00:00Z"), at("2026-03-29T22:00:00Z")),
        Arguments.of(
            Windows.months(BERLIN), at("2026-10-24T10:00:00Z"), at("2026-10-31T23:00:00Z")),
        Arguments.of(Windows.session(millis(5)), 3, 8));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void w05TheBoundaryOfLatenessIsTheSameForAllKinds(Windows windows, long time, long end)
      throws Exception {
    run(
        kept(windows, 5),
        operator -> {
          operator.watermark(end + 4).record("k", "a", time);
          assertThat(operator.read().toString()).endsWith("," + end + ")=a@" + (end - 1) + "]");
          assertThat(operator.counters().late).isZero();
          operator.watermark(end + 5).record("k", "b", time);
          assertThat(operator.read()).isEmpty();
          assertThat(operator.output(LATE)).hasToString("[k=b@" + time + "]");
        });
    run(
        kept(windows, 0),
        operator -> {
          operator.watermark(end - 1).record("k", "a", time);
          assertThat(operator.read()).isEmpty();
          operator.watermark(end).record("k", "b", time);
          assertThat(operator.read().toString()).endsWith("," + end + ")=a@" + (end - 1) + "]");
          assertThat(operator.counters().late).isEqualTo(1);
        });
  }

  @Test
  void w06WindowsAreClampedAtTheEndsOfTime() throws Exception {
    run(
        kept(TUMBLING, 1000),
        operator -> {
          operator.record("k", "a", MIN + 1).record("k", "b", MAX - 1).watermark(MAX - 1);
          assertThat(operator.read())
              .containsExactly("k=[" + MIN + ",-9223372036854775800)=a@-9223372036854775801");
          operator.record("k", "c", MAX - 7).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[9223372036854775800," + MAX + ")=bc@" + (MAX - 1));
          assertThat(operator.liveWindows()).isZero();
        });
  }

  @Test
  void w06SlidingWindowsAreClampedAtTheEndsOfTime() throws Exception {
    run(
        kept(Windows.sliding(millis(10), millis(4)), 0),
        operator -> {
          operator.record("k", "a", MAX - 1).watermark(MAX - 1);
          assertThat(operator.read()).isEmpty();
          operator.watermark(MAX);
          assertThat(operator.read())
              .containsExactly(
                  "k=[" + (MAX - 7) + "," + MAX + ")=a@" + (MAX - 1),
                  "k=[" + (MAX - 3) + "," + MAX + ")=a@" + (MAX - 1));
        });
    run(
        kept(Windows.sliding(millis(10), millis(4)), 0),
        operator -> {
          operator.record("k", "a", MIN + 1).watermark(MAX);
          // MIN is a multiple of 4; so the last three of four windows reach it.
          assertThat(operator.read())
              .containsExactly(
                  "k=[" + MIN + "," + (MIN + 2) + ")=a@" + (MIN + 1),
                  "k=[" + MIN + "," + (MIN + 6) + ")=a@" + (MIN + 5),
                  "k=[" + MIN + "," + (MIN + 10) + ")=a@" + (MIN + 9));
        });
  }

  @Test
  void w06SessionsAreClampedAtTheEndOfTime() throws Exception {
    run(
        kept(Windows.session(millis(5)), 1000),
        operator -> {
          operator.record("k", "a", MAX - 1).record("k", "b", MAX - 3).watermark(MAX - 1);
          assertThat(operator.read()).isEmpty();
          operator.watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[" + (MAX - 3) + "," + MAX + ")=ba@" + (MAX - 1));
          assertThat(operator.eventTimers()).isZero();
        });
  }

  @Test
  void w07TheGlobalWindowFiresOnceAtTheEnd() throws Exception {
    run(
        kept(Windows.global(), 0),
        operator -> {
          operator.record("k", "a", 7).watermark(MAX - 1).record("k", "b", -7);
          assertThat(operator.read()).isEmpty();
          operator.watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[global)=ab@" + (MAX - 1));
        });
  }

  @Test
  void w07AProcessingTimeTriggerThatIsPendingDoesNotMatterAtTheEnd() throws Exception {
    run(
        with(
            TUMBLING,
            0,
            Triggers.everyProcessingTime(millis(100)),
            null,
            Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 1).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,10)=a@9");
          operator.clock(1000);
          assertThat(operator.read()).isEmpty();
        });
  }

  @Test
  void w08AWindowClosesForAllKeysWhicheverMovesTheWatermark() throws Exception {
    run(
        kept(TUMBLING, 0),
        operator -> {
          for (int i = 0; i < 10; i++) {
            operator.record("k" + i, "a", i);
          }
          operator.record("k0", "b", 100).watermark(10);
          assertThat(operator.read())
              .containsExactlyInAnyOrder(
                  "k0=[0,10)=a@9",
                  "k1=[0,10)=a@9",
                  "k2=[0,10)=a@9",
                  "k3=[0,10)=a@9",
                  "k4=[0,10)=a@9",
                  "k5=[0,10)=a@9",
                  "k6=[0,10)=a@9",
                  "k7=[0,10)=a@9",
                  "k8=[0,10)=a@9",
                  "k9=[0,10)=a@9");
        });
  }

  @Test
  void w09RecordsBehindOneFromTheFarFutureLeaveATrace() throws Exception {
    long tenYears = Duration.ofDays(3650).toMillis();
    run(
        kept(TUMBLING, 0),
        operator -> {
          operator.record("k", "a", 1).record("k", "x", tenYears).watermark(tenYears);
          assertThat(operator.read()).containsExactly("k=[0,10)=a@9");
          operator.record("k", "b", 2).record("k", "c", 13);
          assertThat(operator.output(LATE)).hasToString("[k=b@2, k=c@13]");
          assertThat(operator.counters().late).isEqualTo(2);
          assertThat(operator.counters().balanced()).isTrue();
          operator.watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[315360000000,315360000010)=x@315360000009");
        });
  }

  /** Each record on a bound of the calendar is in the period that starts there, and in no other. */
  private static void period(Windows windows, long start, long end) throws Exception {
    run(
        kept(windows, 0),
        operator -> {
          operator.record("k", "a", start - 1).record("k", "b", start);
          operator.record("k", "c", end - 1).record("k", "d", end).watermark(start);
          assertThat(operator.read().toString()).endsWith("," + start + ")=a@" + (start - 1) + "]");
          operator.watermark(end);
          assertThat(operator.read())
              .containsExactly("k=[" + start + "," + end + ")=bc@" + (end - 1));
          operator.watermark(MAX);
          assertThat(operator.read().toString()).startsWith("[k=[" + end + ",");
          assertThat(operator.counters().processed).isEqualTo(4);
        });
  }

  @Test
  void w10DaysHave23And25HoursWhereDaylightSavingBeginsAndEnds() throws Exception {
    period(Windows.days(BERLIN), at("2026-03-28T23:00:00Z"), at("2026-03-29T22:00:00Z"));
    period(Windows.days(BERLIN), at("2026-10-24T22:00:00Z"), at("2026-10-25T23:00:00Z"));
  }

  @Test
  void w10WeeksAndMonthsFollowDaylightSavingToo() throws Exception {
    period(Windows.weeks(BERLIN), at("2026-03-22T23:00:00Z"), at("2026-03-29T22:00:00Z"));
    period(Windows.weeks(BERLIN), at("2026-10-18T22:00:00Z"), at("2026-10-25T23:00:00Z"));
    period(Windows.months(BERLIN), at("2026-02-28T23:00:00Z"), at("2026-03-31T22:00:00Z"));
    period(Windows.months(BERLIN), at("2026-09-30T22:00:00Z"), at("2026-10-31T23:00:00Z"));
  }

  @Test
  void w10ClocksPutBackAcrossMidnightDoNotReopenTheDayBefore() throws Exception {
    // At 00:01 on 7 November it was 23:01 on the 6th again.
    Windows days = Windows.days(ZoneId.of("America/St_Johns"));
    period(days, at("2010-11-06T02:30:00Z"), at("2010-11-07T02:30:00Z"));
    period(days, at("2010-11-07T02:30:00Z"), at("2010-11-08T03:30:00Z"));
    run(
        kept(days, 0),
        operator -> {
          operator.record("k", "a", at("2010-11-07T02:45:00Z")).watermark(MAX);
          assertThat(operator.read().toString())
              .startsWith("[k=[" + at("2010-11-07T02:30:00Z") + ",");
        });
  }

  @Test
  void w10ADateThatAZoneLeavesOutHasNoWindow() throws Exception {
    // There was no 30 December.
    period(
        Windows.days(ZoneId.of("Pacific/Apia")),
        at("2011-12-29T10:00:00Z"),
        at("2011-12-30T10:00:00Z"));
    period(
        Windows.days(ZoneId.of("Pacific/Apia")),
        at("2011-12-30T10:00:00Z"),
        at("2011-12-31T10:00:00Z"));
  }

  @Test
  void w10DaysWithoutMidnightStartAtTheirFirstInstant() throws Exception {
    // Clocks went from 00:00 to 01:00.
    period(
        Windows.days(ZoneId.of("America/Sao_Paulo")),
        at("2018-11-04T03:00:00Z"),
        at("2018-11-05T02:00:00Z"));
  }

  @Test
  void t07RecordsOfAnInputThatResumesAreJudgedByTheirWindows() throws Exception {
    run(
        kept(TUMBLING, 0),
        operator -> {
          operator.record("k", "a", 21).watermark(25);
          operator.record("k", "b", 22).record("k", "c", 19);
          assertThat(operator.read()).isEmpty();
          assertThat(operator.output(LATE)).hasToString("[k=c@19]");
          operator.watermark(30);
          assertThat(operator.read()).containsExactly("k=[20,30)=ab@29");
        });
  }

  @Test
  void earlyResultsCoverAllOrWhatIsNew() throws Exception {
    run(
        with(TUMBLING, 0, Triggers.everyRecords(2), null, Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 1).record("k", "b", 2);
          assertThat(operator.read()).containsExactly("k=[0,10)=ab@9");
          operator.record("k", "c", 3).record("k", "d", 4);
          assertThat(operator.read()).containsExactly("k=[0,10)=abcd@9");
          operator.watermark(10);
          assertThat(operator.read()).containsExactly("k=[0,10)=abcd@9");
        });
    run(
        with(TUMBLING, 0, Triggers.everyRecords(2), null, Accumulation.DISCARDING),
        operator -> {
          operator.record("k", "a", 1).record("k", "b", 2).record("l", "x", 3);
          assertThat(operator.read()).containsExactly("k=[0,10)=ab@9");
          operator.record("k", "c", 3).record("k", "d", 4);
          assertThat(operator.read()).containsExactly("k=[0,10)=cd@9");
          operator.watermark(10);
          assertThat(operator.read()).containsExactly("l=[0,10)=x@9");
        });
  }

  @Test
  void lateUpdatesThatTheLateTriggerHeldBackComeWhenTheWindowIsDropped() throws Exception {
    run(
        with(TUMBLING, 5, null, Triggers.everyRecords(2), Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 1).watermark(10);
          assertThat(operator.read()).containsExactly("k=[0,10)=a@9");
          operator.record("k", "b", 2);
          assertThat(operator.read()).isEmpty();
          operator.record("k", "c", 3);
          assertThat(operator.read()).containsExactly("k=[0,10)=abc@9");
          operator.record("k", "d", 4).record("l", "x", 4).watermark(14);
          assertThat(operator.read()).isEmpty();
          operator.watermark(15);
          assertThat(operator.read()).containsExactlyInAnyOrder("k=[0,10)=abcd@9", "l=[0,10)=x@9");
        });
  }

  @Test
  void earlyTimersEndWithTheirWindow() throws Exception {
    run(
        with(
            Windows.tumbling(millis(100)),
            50,
            Triggers.everyEventTime(millis(10)),
            null,
            Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 5).watermark(9);
          assertThat(operator.read()).isEmpty();
          operator.watermark(10);
          assertThat(operator.read()).containsExactly("k=[0,100)=a@99");
          operator.watermark(95).record("k", "b", 6);
          assertThat(operator.read()).isEmpty();
          operator.watermark(100);
          assertThat(operator.read()).containsExactly("k=[0,100)=ab@99");
          operator.watermark(149);
          assertThat(operator.read()).isEmpty();
          leavesNothing(operator);
        });
  }

  private static void leavesNothing(OperatorHarness operator) throws Exception {
    operator.watermark(MAX);
    assertThat(operator.read()).isEmpty();
    assertThat(operator.liveWindows()).isZero();
    assertThat(operator.eventTimers()).isZero();
  }
}
