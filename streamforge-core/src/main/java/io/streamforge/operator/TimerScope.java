package io.streamforge.operator;

import io.streamforge.window.Window;

/**
 * What a timer belongs to besides its key: a window, or nothing ({@link Window#GLOBAL}). Timers of
 * equal time and key fire in the order of their windows.
 */
public record TimerScope(Window window) implements Comparable<TimerScope> {
  /** A timer of the key alone. */
  public static final TimerScope KEY = new TimerScope(Window.GLOBAL);

  @Override
  public int compareTo(TimerScope other) {
    return window.compareTo(other.window);
  }
}
