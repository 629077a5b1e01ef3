package io.streamforge.checkpoint;

/** What an object holds; written into its header. */
public enum FrameKind {
  /** Whose place this is, and its layout. */
  FORMAT(1),
  /** An entry of the log. */
  LOG_ENTRY(2),
  /** Segments of state and the like. */
  DATA(3);

  private final int code;

  FrameKind(int code) {
    this.code = code;
  }

  /** Its number in the header, never used for another kind. */
  int code() {
    return code;
  }
}
