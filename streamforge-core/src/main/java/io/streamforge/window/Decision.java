package io.streamforge.window;

/** What a {@link Trigger} wants. */
public enum Decision {
  /** Nothing yet. */
  CONTINUE,
  /** Emit the window's current result now. */
  FIRE
}
