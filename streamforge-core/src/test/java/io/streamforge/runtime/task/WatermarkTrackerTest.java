package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.record.Timestamps;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WatermarkTrackerTest {
  @Test
  void eventTimeIsTheMinimumOfTheActiveInputs() {
    WatermarkTracker tracker = new WatermarkTracker(2);
    tracker.advance(0, 10);

    assertThat(tracker.current()).isEqualTo(Timestamps.MIN);
    assertThat(tracker.holder()).isEqualTo(1);
    tracker.advance(1, 5);
    assertThat(tracker.current()).isEqualTo(5);
    tracker.advance(1, 3);
    assertThat(tracker.watermark(1)).isEqualTo(5);
  }

  @Test
  void t04InputThatResumesBehindHoldsButNeverPullsBack() {
    WatermarkTracker tracker = new WatermarkTracker(2);
    tracker.advance(0, 10);
    tracker.advance(1, 20);
    tracker.idle(0);
    assertThat(tracker.current()).isEqualTo(20);

    tracker.advance(0, 12);
    tracker.advance(1, 25);
    assertThat(tracker.current()).isEqualTo(20);
    tracker.advance(0, 25);
    assertThat(tracker.current()).isEqualTo(25);
  }

  @Test
  void t04OrderInWhichInputsGoIdleDoesNotMatter() {
    for (int first = 0; first < 2; first++) {
      WatermarkTracker tracker = new WatermarkTracker(2);
      tracker.advance(0, 10);
      tracker.advance(1, 20);
      tracker.idle(first);
      tracker.idle(1 - first);

      assertThat(tracker.current()).isEqualTo(20);
      assertThat(tracker.isIdle()).isTrue();
      assertThat(tracker.holder()).isEqualTo(-1);
    }
  }

  @Test
  void endedInputHoldsNothingBackAndStaysEnded() {
    WatermarkTracker tracker = new WatermarkTracker(2);
    tracker.advance(0, 7);
    tracker.end(1);
    tracker.advance(1, 3);
    tracker.idle(1);

    assertThat(tracker.current()).isEqualTo(7);
    assertThat(tracker.isEnded(1)).isTrue();
    assertThat(tracker.allEnded()).isFalse();
    tracker.end(0);
    assertThat(tracker.allEnded()).isTrue();
    assertThat(tracker.isIdle()).isFalse();
    assertThat(tracker.current()).isEqualTo(Timestamps.MAX);
  }

  @Test
  void idleInputsCountOnlyWhenNoneIsActive() {
    WatermarkTracker tracker = new WatermarkTracker(3);
    tracker.advance(0, 30);
    tracker.idle(0);
    tracker.advance(1, 10);
    tracker.end(2);
    assertThat(tracker.current()).isEqualTo(10);

    tracker.end(1);
    assertThat(tracker.current()).isEqualTo(30);
    assertThat(tracker.isIdle()).isTrue();
  }

  @Test
  void withoutInputsItIsIdleAndOneThatIsAddedHolds() {
    WatermarkTracker tracker = new WatermarkTracker();
    assertThat(tracker.isIdle()).isTrue();
    assertThat(tracker.allEnded()).isFalse();
    assertThat(tracker.current()).isEqualTo(Timestamps.MIN);

    int added = tracker.add();
    assertThat(tracker.isIdle()).isFalse();
    tracker.advance(added, -5);
    assertThat(tracker.current()).isEqualTo(-5);
  }

  @Test
  void eventTimeNeverGoesBackWhateverHappens() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      WatermarkTracker tracker = new WatermarkTracker(1 + random.nextInt(4));
      long before = Timestamps.MIN;
      for (int i = 0; i < 200; i++) {
        int input = random.nextInt(tracker.count());
        switch (random.nextInt(20)) {
          case 0, 1, 2, 3 -> tracker.idle(input);
          case 4 -> tracker.activate(input);
          case 5 -> tracker.add();
          case 6 -> tracker.end(input);
          default -> tracker.advance(input, random.nextInt(1_000) - 500);
        }
        long now = tracker.current();
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
  }
}
