package io.streamforge.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.runtime.task.Activity;
import io.streamforge.runtime.task.PartProgress;
import io.streamforge.runtime.task.PartProgress.Doing;
import io.streamforge.runtime.task.PartProgress.Span;
import io.streamforge.runtime.task.Sender;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of checkpoints that take long, or are not complete in time. */
class CheckpointCauseTest {
  private static final String LOCATION = "file:/checkpoints";
  private static final long NEVER = Long.MIN_VALUE;

  /** The checkpoint begins at one second; times in the tests count from there. */
  private static final long BEGUN = nanos(1_000);

  private final Map<String, PartProgress> parts = new LinkedHashMap<>();

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static long at(long millis) {
    return BEGUN + nanos(millis);
  }

  private static Span span(long untilMillis, Activity activity) {
    return new Span(activity, null, null, 0, at(untilMillis));
  }

  private static Span span(long untilMillis, Activity activity, @Nullable String node, long bytes) {
    return new Span(activity, node, null, bytes, at(untilMillis));
  }

  private static Span barrier(long untilMillis, String node, String task) {
    return new Span(Activity.BARRIER, null, new Sender(node, task), 0, at(untilMillis));
  }

  private void task(String id, String node, long sentMillis, Span... spans) {
    task(id, node, sentMillis, null, spans);
  }

  private void task(String id, String node, long sentMillis, @Nullable Doing doing, Span... spans) {
    parts.put(
        id,
        new PartProgress(
            "task " + id + " of '" + node + "'",
            7,
            false,
            List.of(spans),
            doing,
            sentMillis == NEVER ? NEVER : at(sentMillis),
            0));
  }

  private static Doing doing(Activity activity, Sender... awaited) {
    return new Doing(activity, null, List.of(awaited), 0);
  }

  private String longest(long publishedMillis) {
    return new CheckpointCause(LOCATION, BEGUN, NEVER, parts).longest(at(publishedMillis));
  }

  private String missing(String... ids) {
    return new CheckpointCause(LOCATION, BEGUN, NEVER, parts).missing(List.of(ids));
  }

  @Test
  void barrierThatWaitsBetweenTwoTasksIsTheirs() {
    task("0[0]", "in", 100, span(100, Activity.ELSEWHERE));
    task("1[0]", "enrich", 200, barrier(200, "in", "0[0]"));
    task("1[1]", "enrich", 300, barrier(300, "in", "0[0]"));
    task("2[0]", "count", 12_000, barrier(12_000, "enrich", "1[1]"));

    assertThat(longest(12_300))
        .isEqualTo(
            "11.7 s of them task 2[0] of 'count' waited for the barrier from 'enrich' in task 1[1],"
                + " behind the records before it");
  }

  @Test
  void whatTheLastPartDoesNotWaitForDoesNotCount() {
    task("0[0]", "in", 100, span(100, Activity.ELSEWHERE));
    task(
        "1[0]",
        "big",
        200,
        barrier(200, "in", "0[0]"),
        span(5_000, Activity.SERIALISE, "big", 1 << 30));
    task(
        "1[1]",
        "late",
        4_000,
        barrier(200, "in", "0[0]"),
        span(4_000, Activity.ROOM),
        span(5_100, Activity.STORE, "late", 1));

    assertThat(longest(5_200))
        .isEqualTo("3.8 s of them task 1[1] of 'late' had no room for its output");
  }

  @Test
  void sourceThatDoesNotComeToItIsFoundBehindTheTasksThatWaitForIt() {
    task("0[0]", "in", 9_000, span(9_000, Activity.ELSEWHERE));
    task("1[0]", "enrich", 9_100, barrier(9_100, "in", "0[0]"));
    task("2[0]", "count", 9_200, barrier(9_200, "enrich", "1[0]"));

    assertThat(longest(9_300)).isEqualTo("9.0 s of them task 0[0] of 'in' did not come to it");
  }

  @Test
  void workInHandIsThatOfItsNode() {
    task("0[0]", "in", 3_000, span(10, Activity.ELSEWHERE), span(3_000, Activity.WORK, "split", 0));

    assertThat(longest(3_100))
        .isEqualTo("3.0 s of them task 0[0] of 'in' had work in hand of 'split'");
  }

  @Test
  void serialisingSaysHowMuch() {
    task(
        "1[0]",
        "count",
        10,
        span(10, Activity.ELSEWHERE),
        span(4_010, Activity.SERIALISE, "count", 1_288_490_189),
        span(4_020, Activity.STORE));

    assertThat(longest(4_030))
        .isEqualTo("4.0 s of them task 1[0] of 'count' serialised the state of 'count' (1.2 GiB)");
  }

  @Test
  void storingAddsUpAllTimesThatTheStorageWasBehind() {
    task(
        "1[0]",
        "count",
        10,
        span(10, Activity.ELSEWHERE),
        span(1_510, Activity.SERIALISE, "count", 100 << 20),
        span(2_510, Activity.STORE, null, 30 << 20),
        span(2_610, Activity.SERIALISE, "names", 1 << 20),
        span(3_610, Activity.STORE, null, 10 << 20));

    assertThat(longest(3_700))
        .isEqualTo(
            "2.0 s of them task 1[0] of 'count' stored 40.0 MiB in file:/checkpoints, at 20.0 MiB/s");
  }

  @Test
  void writerIsFollowedToTheTaskWhoseOutputItWrites() {
    task("1[0]", "count", 4_000, span(4_000, Activity.FREEZE, "count", 0));
    parts.put(
        "writer of out in 1[0]",
        new PartProgress(
            "the writer of 'out' in task 1[0]",
            7,
            false,
            List.of(
                new Span(Activity.WRITE, null, new Sender("out", "1[0]"), 0, at(4_100)),
                span(5_000, Activity.PREPARE)),
            null,
            NEVER,
            0));

    assertThat(longest(5_010))
        .isEqualTo("4.0 s of them task 1[0] of 'count' froze the state of 'count'");
  }

  @Test
  void publicationIsWhatComesBehindTheLastReport() {
    task("0[0]", "in", 10, span(10, Activity.ELSEWHERE));

    assertThat(longest(2_510))
        .isEqualTo("2.5 s of them its entry in the log in file:/checkpoints was written");
  }

  /** Told at 2 s not to wait; its own state was stored before the last barrier came. */
  @Test
  void overtakenTaskWaitsForTheBarrierOfWhatIsInFlight() {
    task("0[0]", "in", 100, span(100, Activity.ELSEWHERE));
    task("0[1]", "in", 6_000, span(6_000, Activity.ROOM));
    parts.put(
        "1[0]",
        new PartProgress(
            "task 1[0] of 'count'",
            7,
            true,
            List.of(
                span(2_010, Activity.ELSEWHERE),
                span(2_500, Activity.SERIALISE, "count", 10),
                barrier(6_100, "in", "0[1]"),
                span(6_200, Activity.STORE, null, 20)),
            null,
            at(2_020),
            0));

    assertThat(new CheckpointCause(LOCATION, BEGUN, at(2_000), parts).longest(at(6_300)))
        .isEqualTo("6.0 s of them task 0[1] of 'in' had no room for its output");
  }

  @Test
  void timeBeforeBarriersAreOvertakenIsSaidToBeThat() {
    parts.put(
        "1[0]",
        new PartProgress(
            "task 1[0] of 'count'",
            7,
            true,
            List.of(span(2_010, Activity.ELSEWHERE), span(2_500, Activity.STORE, null, 20)),
            null,
            at(2_020),
            0));

    assertThat(new CheckpointCause(LOCATION, BEGUN, at(2_000), parts).longest(at(2_600)))
        .isEqualTo("2.0 s of them barriers were waited for before they were overtaken");
  }

  @Test
  void missingPartsThatWaitForNoOtherMissingOneComeFirst() {
    task("0[0]", "in", 10, span(10, Activity.ELSEWHERE));
    task("1[0]", "enrich", NEVER, doing(Activity.ROOM));
    task("1[1]", "enrich", 20, doing(Activity.STORE), barrier(20, "in", "0[0]"));
    task(
        "2[0]",
        "count",
        NEVER,
        doing(Activity.BARRIER, new Sender("enrich", "1[0]"), new Sender("enrich", "1[1]")));
    task("2[1]", "count", NEVER, doing(Activity.BARRIER, new Sender("enrich", "1[1]")));

    assertThat(missing("2[0]", "2[1]", "1[0]", "1[1]"))
        .isEqualTo(
            "task 2[1] of 'count' waits for the barrier from 'enrich' in task 1[1],"
                + " behind the records before it;"
                + " task 1[0] of 'enrich' has no room for its output;"
                + " task 1[1] of 'enrich' stores 0 B in file:/checkpoints;"
                + " task 2[0] of 'count' waits for the barrier from 'enrich' in task 1[0] and 1 more");
  }

  @Test
  void fiveMissingPartsAreNamedAtMost() {
    for (int i = 0; i < 8; i++) {
      task("0[" + i + "]", "in", NEVER, doing(Activity.ELSEWHERE));
    }

    assertThat(missing(parts.keySet().toArray(new String[0])))
        .startsWith("task 0[0] of 'in' has not come to it; task 0[1]")
        .endsWith("task 0[4] of 'in' has not come to it; and 3 more");
  }
}
