package io.streamforge.operator.window;

import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import org.jspecify.annotations.Nullable;

/** Tumbling and sliding windows: [k · slide + offset, k · slide + offset + size) for each k. */
@Specialised
final class TimeAssigner implements WindowAssigner {
  /*
   * Bounds beyond the ends of the time axis are clamped there, so they cannot be counted on from.
   * Distances are used instead: they are at most a size or a slide and do not overflow. No window is
   * clamped at both ends, since a size is less than half of the axis.
   */
  private final long size;
  private final long slide;

  /** Where starts and ends are: these remainders of the slide. */
  private final long startPhase;

  private final long endPhase;
  private @Nullable Window latest;

  TimeAssigner(Windows.TimeWindows windows) {
    size = windows.size().toMillis();
    slide = windows.slide().toMillis();
    startPhase = Math.floorMod(windows.offset().toMillis(), slide);
    endPhase = behind(size, startPhase == 0 ? 0 : slide - startPhase);
  }

  /** How far the instant is behind the last one with this remainder of the slide. */
  private long behind(long instant, long phase) {
    long difference = Math.floorMod(instant, slide) - phase;
    return difference < 0 ? difference + slide : difference;
  }

  /** The window that starts at this distance before the instant. */
  private Window window(long instant, long distance) {
    return new Window(
        Timestamps.minus(instant, distance), Timestamps.plus(instant, size - distance));
  }

  @Override
  public long overlap() {
    return (size - 1) / slide + 1;
  }

  @Override
  public @Nullable Window slice(long timestampMillis) {
    long fromStart = behind(timestampMillis, startPhase);
    if (fromStart >= size) {
      return null;
    }
    long fromEnd = behind(timestampMillis, endPhase);
    return new Window(
        Timestamps.minus(timestampMillis, Math.min(fromStart, fromEnd)),
        Timestamps.plus(timestampMillis, slide - Math.max(fromStart, fromEnd)));
  }

  @Override
  public @Nullable Window first(long timestampMillis) {
    if (size <= slide) {
      return last(timestampMillis);
    }
    long fromStart = behind(timestampMillis, startPhase);
    return window(timestampMillis, fromStart + (size - 1 - fromStart) / slide * slide);
  }

  @Override
  public @Nullable Window last(long timestampMillis) {
    Window before = latest;
    if (size <= slide && before != null && before.contains(timestampMillis)) {
      return before;
    }
    long fromStart = behind(timestampMillis, startPhase);
    if (fromStart >= size) {
      return null;
    }
    Window found = window(timestampMillis, fromStart);
    latest = found;
    return found;
  }

  @Override
  public @Nullable Window endingAfter(long watermark) {
    long toEnd = slide - behind(watermark, endPhase);
    long start = Timestamps.minus(watermark, size - toEnd);
    long end = Timestamps.plus(watermark, toEnd);
    return start < end && end > watermark ? new Window(start, end) : null;
  }

  @Override
  public @Nullable Window next(Window window) {
    long end = window.endMillis();
    if (end < Timestamps.MAX) {
      long start = Timestamps.minus(end, size - slide);
      return start < Timestamps.MAX ? new Window(start, Timestamps.plus(end, slide)) : null;
    }
    long start = Timestamps.plus(window.startMillis(), slide);
    return start < Timestamps.MAX ? new Window(start, end) : null;
  }
}
