package io.streamforge.source;

/** How a call of {@link SourceReader#read} ended. */
public enum ReadStatus {
  /** There is more: the host calls again as soon as it has room. */
  MORE,
  /**
   * Nothing to read just now: the host calls again after {@link SourceContext#wake} or, at the
   * latest, after {@link SourceReader#pollMillis}.
   */
  WAITING,
  /** All splits that have been added have ended. The host still adds splits that it discovers. */
  ENDED
}
