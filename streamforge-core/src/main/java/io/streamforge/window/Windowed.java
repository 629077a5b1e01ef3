package io.streamforge.window;

import org.jspecify.annotations.Nullable;

/**
 * A result and the window that it belongs to. A {@code null} value retracts what was emitted
 * earlier for this key and window: the window has become part of another one (sessions only).
 */
public record Windowed<V>(Window window, @Nullable V value) {
  /** Start of the window, inclusive, epoch milliseconds. */
  public long startMillis() {
    return window.startMillis();
  }

  /** End of the window, exclusive, epoch milliseconds. */
  public long endMillis() {
    return window.endMillis();
  }

  /** Whether this takes back an earlier result. */
  public boolean isRetraction() {
    return value == null;
  }

  @Override
  public String toString() {
    return window + "=" + value;
  }
}
