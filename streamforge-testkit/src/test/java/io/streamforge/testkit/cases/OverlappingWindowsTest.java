package io.streamforge.testkit.cases;

import static io.streamforge.testkit.cases.WindowScripts.kept;
import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.LongAggregator;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Windows of which many overlap, over aggregates that do not subtract. */
final class OverlappingWindowsTest {
  private static final long MAX = Long.MAX_VALUE;

  private static Windows sliding(int sizeMillis, int slideMillis) {
    return Windows.sliding(Duration.ofMillis(sizeMillis), Duration.ofMillis(slideMillis));
  }

  @Test
  void windowsSlideOverGapsAndOverKeysThatComeAndGo() throws Exception {
    WindowScripts.run(
        kept(sliding(8, 2), 0),
        operator -> {
          operator.record("k", "a", 0).record("k", "b", 3).record("k", "c", 4).watermark(8);
          assertThat(operator.read())
              .containsExactly("k=[-6,2)=a@1", "k=[-4,4)=ab@3", "k=[-2,6)=abc@5", "k=[0,8)=abc@7");
          operator.record("l", "x", 9).watermark(10);
          assertThat(operator.read()).containsExactlyInAnyOrder("k=[2,10)=bc@9", "l=[2,10)=x@9");
          operator.record("k", "d", 11).watermark(12);
          assertThat(operator.read()).containsExactlyInAnyOrder("k=[4,12)=cd@11", "l=[4,12)=x@11");
          operator.record("k", "e", 40).watermark(MAX);
          assertThat(operator.read())
              .containsExactlyInAnyOrder(
                  "k=[6,14)=d@13",
                  "l=[6,14)=x@13",
                  "k=[8,16)=d@15",
                  "l=[8,16)=x@15",
                  "k=[10,18)=d@17",
                  "k=[34,42)=e@41",
                  "k=[36,44)=e@43",
                  "k=[38,46)=e@45",
                  "k=[40,48)=e@47");
          assertThat(operator.liveWindows()).isZero();
        });
  }

  @Test
  void aLateRecordIsInAllLaterWindowsAtItsPlace() throws Exception {
    WindowScripts.run(
        kept(sliding(8, 2), 4),
        new WindowScripts.Join(true, ""),
        operator -> {
          operator
              .record("k", "a", 2)
              .record("k", "b", 4)
              .record("k", "c", 6)
              .record("k", "d", 8)
              .watermark(10);
          assertThat(operator.read())
              .containsExactly("k=[-4,4)=a@3", "k=[-2,6)=ab@5", "k=[0,8)=abc@7", "k=[2,10)=abcd@9");
          // Of the slices of [4,12) all have been gathered, in two stacks: [4,10), and nothing yet.
          operator.record("k", "B", 5).record("k", "D", 9).record("l", "x", 7);
          assertThat(operator.read())
              .containsExactly(
                  "k=[0,8)=abBc@7", // [-2,6) is gone
                  "k=[2,10)=abBcd@9",
                  "k=[2,10)=abBcdD@9",
                  "l=[0,8)=x@7",
                  "l=[2,10)=x@9");
          operator.record("k", "e", 10).watermark(12);
          assertThat(operator.read())
              .containsExactlyInAnyOrder("k=[4,12)=bBcdDe@11", "l=[4,12)=x@11");
          operator.record("k", "E", 11);
          assertThat(operator.read()).containsExactly("k=[4,12)=bBcdDeE@11");
          operator.watermark(MAX);
          assertThat(operator.read())
              .containsExactlyInAnyOrder(
                  "k=[6,14)=cdDeE@13", "l=[6,14)=x@13", "k=[8,16)=dDeE@15", "k=[10,18)=eE@17");
          assertThat(operator.liveWindows()).isZero();
        });
  }

  @Test
  void aLateRecordStartsTheStacksAnewWhenNothingWasLeftInThem() throws Exception {
    WindowScripts.run(
        kept(sliding(8, 2), 20),
        operator -> {
          operator.record("k", "a", 0).watermark(8);
          assertThat(operator.read())
              .containsExactly("k=[-6,2)=a@1", "k=[-4,4)=a@3", "k=[-2,6)=a@5", "k=[0,8)=a@7");
          operator.record("k", "b", 4);
          assertThat(operator.read()).containsExactly("k=[-2,6)=ab@5", "k=[0,8)=ab@7");
          operator.watermark(MAX);
          assertThat(operator.read()).containsExactly("k=[2,10)=b@9", "k=[4,12)=b@11");
        });
  }

  /** The largest of numbers that are not negative, as columns keep it. */
  private record LongMax() implements LongAggregator<Long> {
    @Override
    public long addTo(long accumulator, Long value) {
      return Math.max(accumulator, value);
    }

    @Override
    public long mergeLongs(long into, long from) {
      return Math.max(into, from);
    }

    @Override
    public long subtractLongs(long from, long part) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void maximaFallWhenTheLargestLeaves() throws Exception {
    List<Aggregator<?, ?, ?>> maxima =
        List.of(Aggregates.<Long, Long>max(value -> value), new LongMax());
    for (Aggregator<?, ?, ?> max : maxima) {
      WindowScripts.run(
          kept(sliding(4, 1), 3),
          max,
          operator -> {
            operator.record("k", 9L, 0).record("k", 2L, 1).record("k", 5L, 2).watermark(4);
            assertThat(operator.read())
                .containsExactly("k=[-3,1)=9@0", "k=[-2,2)=9@1", "k=[-1,3)=9@2", "k=[0,4)=9@3");
            operator.record("k", 7L, 1);
            assertThat(operator.read())
                .containsExactly("k=[-2,2)=9@1", "k=[-1,3)=9@2", "k=[0,4)=9@3");
            operator.watermark(MAX);
            assertThat(operator.read()).containsExactly("k=[1,5)=7@4", "k=[2,6)=5@5");
          });
    }
  }

  /** Counts how often it merges. */
  private record Merges(AtomicLong count) implements Aggregator<String, String, String> {
    @Override
    public String create() {
      return "";
    }

    @Override
    public String add(String accumulator, String value) {
      return value;
    }

    @Override
    public String merge(String into, String from) {
      count.incrementAndGet();
      return from;
    }

    @Override
    public String result(String accumulator) {
      return accumulator;
    }
  }

  @Test
  void theWorkOfAResultDoesNotGrowWithTheNumberOfWindows() throws Exception {
    // After a restart all is put together anew.
    List<HarnessMode> toTheEnd =
        HarnessMode.all(42).stream().filter(mode -> !mode.restarts()).toList();
    for (int overlap : new int[] {10, 100, 1_000}) {
      Merges merges = new Merges(new AtomicLong());
      WindowScripts.run(
          toTheEnd,
          kept(sliding(overlap, 1), 0),
          merges,
          operator -> {
            merges.count.set(0);
            for (int time = 0; time < 3_000; time++) {
              operator.record("k", "v", time).watermark(time);
            }
            operator.watermark(MAX);
            long results = operator.emitted().size();
            assertThat(results).isEqualTo(3_000 + overlap - 1);
            assertThat(merges.count.get()).as("overlap %s", overlap).isLessThan(5 * results + 10);
          });
    }
  }
}
