package io.streamforge.testkit.cases;

import static io.streamforge.testkit.cases.WindowScripts.LATE;
import static io.streamforge.testkit.cases.WindowScripts.kept;
import static io.streamforge.testkit.cases.WindowScripts.run;
import static io.streamforge.testkit.cases.WindowScripts.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.graph.Node.Accumulation;
import io.streamforge.record.Record;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.testkit.cases.WindowScripts.Join;
import io.streamforge.window.Triggers;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Case group S at operator level: sessions with a gap of 5. */
class SessionCasesTest {
  private static final long MAX = Long.MAX_VALUE;
  private static final Windows SESSIONS = Windows.session(Duration.ofMillis(5));

  @Test
  void s01TouchingSessionsDoNotMerge() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 10).record("k", "c", 5).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[0,5)=a@4", "k=[5,10)=c@9", "k=[10,15)=b@14");
        });
  }

  @Test
  void s01OverlappingSessionsMerge() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 8).record("k", "c", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,13)=acb@12");
        });
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 9).record("k", "c", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,9)=ac@8", "k=[9,14)=b@13");
        });
  }

  @Test
  void s01NegativeTimesAreNothingSpecial() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", -3).record("k", "b", 1).record("k", "c", -8).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[-8,-3)=c@-4", "k=[-3,6)=ab@5");
        });
  }

  @Test
  void s01ARecordBeforeASessionMovesItsStart() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "b", 4).record("k", "a", 0).watermark(MAX);
          assertThat(operator.read().toString()).startsWith("[k=[0,9)=").endsWith("@8]");
        });
  }

  @Test
  void s02ARecordThatOverlapsASessionThatWasEmittedAndDroppedIsLate() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(6);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          operator.record("k", "b", 3);
          assertThat(operator.output(LATE)).hasToString("[k=b@3]");
          operator.record("k", "c", 4).record("l", "x", 3).watermark(MAX);
          assertThat(operator.read()).containsExactly("l=[3,8)=x@7");
          assertThat(operator.counters().late).isEqualTo(2);
          assertThat(operator.eventTimers()).isZero();
        });
  }

  @Test
  void s02ARecordThatOnlyTouchesADroppedSessionIsJudgedByItsOwnWindow() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(9).record("k", "b", 5);
          assertThat(operator.counters().late).isZero();
          operator.watermark(10);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4", "k=[5,10)=b@9");
        });
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(10).record("k", "b", 5).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          assertThat(operator.output(LATE)).hasToString("[k=b@5]");
        });
  }

  @Test
  void s02ALiveSessionDoesNotGrowBackIntoADroppedOne() throws Exception {
    // 4 overlaps [8,13), which is open, and [0,5), which was dropped gap and more ago.
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(9).record("k", "b", 8).watermark(10);
          operator.record("k", "c", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4", "k=[8,13)=b@12");
          assertThat(operator.output(LATE)).hasToString("[k=c@4]");
          assertThat(operator.eventTimers()).isZero();
        });
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(10).record("k", "b", 8);
          operator.record("k", "c", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4", "k=[8,13)=b@12");
          assertThat(operator.output(LATE)).hasToString("[k=c@4]");
        });
  }

  @Test
  void s02ARecordThatItsSessionStillAcceptsIsNotLate() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "b", 10).watermark(12).record("k", "a", 6).watermark(15);
          assertThat(operator.read()).containsExactly("k=[6,15)=ab@14");
          assertThat(operator.counters().late).isZero();
        });
  }

  @Test
  void s03AKeptSessionIsReopenedAndItsResultRetracted() throws Exception {
    run(
        kept(SESSIONS, 10),
        operator -> {
          operator.record("k", "a", 0).watermark(6);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          operator.record("k", "b", 3).watermark(7);
          assertThat(operator.read()).isEmpty();
          operator.watermark(8);
          assertThat(operator.read()).containsExactly("k=[0,5)=null@7", "k=[0,8)=ab@7");
          operator.watermark(MAX);
          assertThat(operator.read()).isEmpty();
        });
  }

  @Test
  void s03ASessionThatStaysClosedIsRefinedAtOnce() throws Exception {
    run(
        kept(SESSIONS, 10),
        operator -> {
          operator.record("k", "a", 0).watermark(14);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          operator.record("k", "b", 3);
          assertThat(operator.read()).containsExactly("k=[0,5)=null@7", "k=[0,8)=ab@7");
          operator.record("k", "c", 3);
          assertThat(operator.read()).containsExactly("k=[0,8)=abc@7");
        });
    run(
        kept(SESSIONS, 10),
        operator -> {
          operator.record("k", "a", 0).watermark(15).record("k", "b", 3);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          assertThat(operator.output(LATE)).hasToString("[k=b@3]");
        });
  }

  @Test
  void s03BothSessionsThatALateRecordBridgesAreRetracted() throws Exception {
    run(
        kept(SESSIONS, 20),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 8).watermark(14);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4", "k=[8,13)=b@12");
          operator.record("k", "c", 4);
          assertThat(operator.read())
              .containsExactly("k=[0,5)=null@12", "k=[8,13)=null@12", "k=[0,13)=acb@12");
        });
  }

  @Test
  void s04ASessionThatGrowsBetweenWatermarksIsEmittedOnce() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).watermark(2).record("k", "b", 4).watermark(5);
          operator.record("k", "c", 8).watermark(12);
          assertThat(operator.read()).isEmpty();
          operator.watermark(13);
          assertThat(operator.read()).containsExactly("k=[0,13)=abc@12");
          operator.watermark(MAX);
          assertThat(operator.read()).isEmpty();
        });
  }

  @Test
  void s05EarlyResultsOfSessionsThatMergeAreRetracted() throws Exception {
    run(
        with(SESSIONS, 0, Triggers.everyRecords(1), null, Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 8);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4", "k=[8,13)=b@12");
          operator.record("k", "c", 4);
          assertThat(operator.read())
              .containsExactly("k=[0,5)=null@12", "k=[8,13)=null@12", "k=[0,13)=acb@12");
          operator.record("k", "d", 9);
          assertThat(operator.read()).containsExactly("k=[0,13)=null@13", "k=[0,14)=acbd@13");
          operator.watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,14)=acbd@13");
          neverShowsOverlappingSessions(operator);
        });
  }

  /** Follows the output as a table by key and session. */
  private static void neverShowsOverlappingSessions(OperatorHarness operator) {
    TreeMap<Window, Object> table = new TreeMap<>();
    for (Record<?, ?> record : operator.output("")) {
      Windowed<?> result = (Windowed<?>) record.value();
      if (result.isRetraction()) {
        assertThat(table.remove(result.window())).isNotNull();
      } else {
        for (Window shown : table.keySet()) {
          assertThat(shown.overlaps(result.window()) && !shown.equals(result.window())).isFalse();
        }
        table.put(result.window(), result.value());
      }
    }
    assertThat(table).hasToString("{[0,14)=acbd}");
  }

  @Test
  void s05DiscardingEmitsWhatIsNewAndRetractsNothing() throws Exception {
    run(
        with(SESSIONS, 10, Triggers.everyRecords(1), null, Accumulation.DISCARDING),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 8).record("k", "c", 4);
          assertThat(operator.read())
              .containsExactly("k=[0,5)=a@4", "k=[8,13)=b@12", "k=[0,13)=c@12");
          operator.watermark(13);
          assertThat(operator.read()).isEmpty();
          operator.record("k", "d", 1);
          assertThat(operator.read()).containsExactly("k=[0,13)=d@12");
          operator.watermark(MAX);
          assertThat(operator.read()).isEmpty();
        });
  }

  @Test
  void s05LateUpdatesThatWereHeldBackComeWhenTheSessionIsDropped() throws Exception {
    run(
        with(SESSIONS, 10, null, Triggers.everyRecords(2), Accumulation.ACCUMULATING),
        operator -> {
          operator.record("k", "a", 0).watermark(14);
          assertThat(operator.read()).containsExactly("k=[0,5)=a@4");
          operator.record("k", "b", 3).watermark(17);
          assertThat(operator.read()).isEmpty();
          operator.watermark(18);
          assertThat(operator.read()).containsExactly("k=[0,5)=null@7", "k=[0,8)=ab@7");
        });
  }

  @Test
  void s06ABridgedPairIsMergedOnceInTheOrderOfEventTime() throws Exception {
    run(
        kept(SESSIONS, 0),
        new Join(true, "|"),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 8).record("k", "c", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,13)=ac|b@12");
        });
  }

  @Test
  void s06ThreeSessionsAreBridgedOneAfterTheOther() throws Exception {
    run(
        kept(SESSIONS, 0),
        new Join(true, "|"),
        operator -> {
          operator.record("k", "c", 16).record("k", "a", 0).record("k", "b", 8);
          operator.record("k", "e", 12).record("k", "d", 4).watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[0,21)=ad|be|c@20");
        });
  }

  @Test
  void s06SessionsOfOtherKeysAreLeftAlone() throws Exception {
    run(
        kept(SESSIONS, 0),
        operator -> {
          operator.record("k", "a", 0).record("l", "x", 3).record("k", "b", 8).watermark(MAX);
          assertThat(operator.read())
              .containsExactly("k=[0,5)=a@4", "l=[3,8)=x@7", "k=[8,13)=b@12");
        });
  }
}
