package io.streamforge.operator.window;

import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/** One window that holds everything. */
@Specialised
final class GlobalAssigner implements WindowAssigner {
  @Override
  public long overlap() {
    return 1;
  }

  @Override
  public Window slice(long timestampMillis) {
    return Window.GLOBAL;
  }

  @Override
  public Window first(long timestampMillis) {
    return Window.GLOBAL;
  }

  @Override
  public Window last(long timestampMillis) {
    return Window.GLOBAL;
  }

  @Override
  public @Nullable Window endingAfter(long watermark) {
    return watermark < Timestamps.MAX ? Window.GLOBAL : null;
  }

  @Override
  public @Nullable Window next(Window window) {
    return null;
  }
}
