package io.streamforge.connector.file;

import org.jspecify.annotations.Nullable;

/** A record cannot be decoded; the source adds file and line. */
public final class MalformedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int lineOffset;
  private final int column;

  /** The fault is somewhere in the record. */
  public MalformedRecordException(String message) {
    this(message, 0, 0, null);
  }

  /**
   * The fault is at a certain place.
   *
   * @param message one clause that says what is wrong
   * @param lineOffset how many lines below the first line of the record
   * @param column counted from 1; 0: unknown
   */
  public MalformedRecordException(
      String message, int lineOffset, int column, @Nullable Throwable cause) {
    super(message, cause);
    this.lineOffset = lineOffset;
    this.column = column;
  }

  /** How many lines below the first line of the record. */
  public int lineOffset() {
    return lineOffset;
  }

  /** Counted from 1; 0: unknown. */
  public int column() {
    return column;
  }
}
