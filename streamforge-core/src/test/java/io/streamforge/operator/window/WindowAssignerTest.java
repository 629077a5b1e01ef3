package io.streamforge.operator.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.record.Timestamps;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Time windows against a list of all windows near zero; bounds of the axis; calendars. */
class WindowAssignerTest {
  private static final int REACH = 120;

  private record Spec(int size, int slide, int offset) {
    WindowAssigner assigner() {
      return WindowAssigner.of(
          Windows.sliding(Duration.ofMillis(size), Duration.ofMillis(slide))
              .offset(Duration.ofMillis(offset)));
    }

    /** Those near zero, in the order in which they close. */
    List<Window> windows() {
      List<Window> all = new ArrayList<>();
      for (int k = -REACH; k <= REACH; k++) {
        long start = (long) k * slide + offset;
        all.add(new Window(start, start + size));
      }
      return all;
    }
  }

  private static List<Spec> specs() {
    List<Spec> specs = new ArrayList<>();
    for (int size = 1; size <= 11; size++) {
      for (int slide = 1; slide <= 11; slide++) {
        for (int offset : new int[] {0, 1, -1, 4, -13, 25}) {
          specs.add(new Spec(size, slide, offset));
        }
      }
    }
    return specs;
  }

  private static List<Window> containing(WindowAssigner assigner, long instant) {
    List<Window> found = new ArrayList<>();
    for (Window window = assigner.first(instant);
        window != null && window.contains(instant);
        window = assigner.next(window)) {
      found.add(window);
    }
    return found;
  }

  @Test
  void theWindowsOfAnInstantFollowEachOther() {
    for (Spec spec : specs()) {
      WindowAssigner assigner = spec.assigner();
      for (int t = -40; t <= 40; t++) {
        long instant = t;
        List<Window> expected =
            spec.windows().stream().filter(window -> window.contains(instant)).toList();
        assertThat(containing(assigner, t)).as("%s at %d", spec, t).isEqualTo(expected);
        assertThat(assigner.last(t))
            .as("%s at %d", spec, t)
            .isEqualTo(expected.isEmpty() ? null : expected.get(expected.size() - 1));
      }
    }
  }

  @Test
  void theFirstWindowThatEndsBehindAWatermarkIsFound() {
    for (Spec spec : specs()) {
      WindowAssigner assigner = spec.assigner();
      for (int t = -40; t <= 40; t++) {
        long watermark = t;
        assertThat(assigner.endingAfter(t))
            .as("%s at %d", spec, t)
            .isEqualTo(
                spec.windows().stream()
                    .filter(window -> window.endMillis() > watermark)
                    .findFirst()
                    .orElseThrow());
      }
    }
  }

  @Test
  void slicesAreCutAtAllStartsAndEndsAndNowhereElse() {
    for (Spec spec : specs()) {
      WindowAssigner assigner = spec.assigner();
      for (int t = -40; t <= 40; t++) {
        long instant = t;
        List<Window> windows = spec.windows();
        boolean inNone = windows.stream().noneMatch(window -> window.contains(instant));
        Window expected = inNone ? null : slice(windows, t);
        assertThat(assigner.slice(t)).as("%s at %d", spec, t).isEqualTo(expected);
      }
    }
  }

  private static Window slice(List<Window> windows, long instant) {
    long start = Long.MIN_VALUE;
    long end = Long.MAX_VALUE;
    for (Window window : windows) {
      for (long cut : new long[] {window.startMillis(), window.endMillis()}) {
        if (cut <= instant) {
          start = Math.max(start, cut);
        } else {
          end = Math.min(end, cut);
        }
      }
    }
    return new Window(start, end);
  }

  @Test
  void nothingOverflowsAtTheEndsOfTheAxis() {
    long huge = Long.MAX_VALUE;
    long[][] specs = {
      {10, 10, 0},
      {10, 4, 3},
      {10, 3, -7},
      {3, 10, 1},
      {huge, huge, 0},
      {huge, huge, -1},
      {huge, huge / 2, huge},
      {huge / 2, huge, -huge},
      {huge, huge - 1, 12},
      {1, huge, 5}
    };
    long[] instants = {
      Timestamps.MIN + 1,
      Timestamps.MIN + 2,
      Timestamps.MIN + 9,
      -huge / 2,
      -1,
      0,
      1,
      huge / 2,
      Timestamps.MAX - 9,
      Timestamps.MAX - 2,
      Timestamps.MAX - 1
    };
    for (long[] spec : specs) {
      WindowAssigner assigner =
          WindowAssigner.of(
              Windows.sliding(Duration.ofMillis(spec[0]), Duration.ofMillis(spec[1]))
                  .offset(Duration.ofMillis(spec[2])));
      for (long instant : instants) {
        List<Window> windows = containing(assigner, instant);
        Window slice = assigner.slice(instant);
        assertThat(slice == null).isEqualTo(windows.isEmpty());
        assertThat(windows).isSorted().doesNotHaveDuplicates();
        assertThat(windows).hasSizeLessThanOrEqualTo((int) Math.min(9, spec[0] / spec[1] + 1));
        for (Window window : windows) {
          assertThat(slice).isNotNull();
          assertThat(window.startMillis()).isLessThanOrEqualTo(start(slice));
          assertThat(window.contains(instant)).isTrue();
        }
        Window next = assigner.endingAfter(instant);
        assertThat(next == null || next.endMillis() > instant).isTrue();
      }
      assertThat(assigner.endingAfter(Timestamps.MAX)).isNull();
    }
  }

  private static long start(@Nullable Window slice) {
    return slice == null ? Timestamps.MIN : slice.startMillis();
  }

  @Test
  void calendarPeriodsFollowEachOtherWithoutGapOrOverlap() {
    for (String zone :
        List.of(
            "UTC",
            "Europe/Berlin",
            "America/St_Johns",
            "America/Sao_Paulo",
            "Pacific/Apia",
            "America/Juneau",
            "Africa/Monrovia",
            "Asia/Kathmandu")) {
      for (Windows.CalendarUnit unit : Windows.CalendarUnit.values()) {
        WindowAssigner assigner =
            WindowAssigner.of(new Windows.CalendarWindows(unit, ZoneId.of(zone)));
        long from = Instant.parse("2005-01-01T00:00:00Z").toEpochMilli();
        long to = Instant.parse("2013-01-01T00:00:00Z").toEpochMilli();
        Window window = assigner.first(from);
        while (window != null && window.startMillis() < to) {
          assertThat(assigner.slice(window.startMillis())).isEqualTo(window);
          assertThat(assigner.last(window.lastMillis())).isEqualTo(window);
          Window next = assigner.next(window);
          assertThat(next).as("%s behind %s in %s", unit, window, zone).isNotNull();
          assertThat(start(next)).isEqualTo(window.endMillis());
          window = next;
        }
      }
    }
  }

  @Test
  void calendarPeriodsAreClampedAtTheEndsOfTheAxis() {
    WindowAssigner days = WindowAssigner.of(Windows.days(ZoneId.of("Europe/Berlin")));
    assertThat(start(days.first(Timestamps.MIN + 1))).isEqualTo(Timestamps.MIN);
    Window last = days.last(Timestamps.MAX - 1);
    assertThat(last).isNotNull();
    assertThat(last == null ? 0 : last.endMillis()).isEqualTo(Timestamps.MAX);
    assertThat(days.endingAfter(Timestamps.MAX)).isNull();
    assertThat(last == null ? last : days.next(last)).isNull();
  }
}
