package io.streamforge.time;

/** Which time a timer waits for. */
public enum TimeDomain {
  /** The watermark. */
  EVENT,
  /** The wall clock. */
  PROCESSING
}
