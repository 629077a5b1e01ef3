package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What {@link Serde#reading} found out. Immutable and thread-safe.
 *
 * @param <T> the type of the values
 */
public sealed interface Reading<T> {
  /**
   * The values can be read.
   *
   * @param reader of the stored bytes
   * @param asStored whether the serde reads the stored bytes itself, so that they may be kept, and
   *     old and new ones may lie side by side; if what was stored is deterministic, it also writes
   *     the same bytes for the same values
   */
  record Readable<T>(ValueReader<T> reader, boolean asStored) implements Reading<T> {
    @Override
    public Readable<T> orThrow(String what, ErrorContext context) {
      return this;
    }
  }

  /**
   * The values cannot be read.
   *
   * @param mismatches why not, one or more; in the order of what was stored
   */
  record Refused<T>(List<Mismatch> mismatches) implements Reading<T> {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when it is empty
     */
    public Refused {
      mismatches = List.copyOf(mismatches);
      if (mismatches.isEmpty()) {
        throw new IllegalArgumentException("refused without a reason");
      }
    }

    /** All mismatches as one line without the remedies. */
    public String reason() {
      return mismatches.stream().map(Mismatch::toString).collect(Collectors.joining("; and "));
    }

    /** What to do about them, as sentences. */
    public String remedy() {
      return mismatches.stream().map(Mismatch::remedy).distinct().collect(Collectors.joining(" "));
    }

    @Override
    public Readable<T> orThrow(String what, ErrorContext context) {
      throw new StreamForgeException(
          ErrorCode.STATE_INCOMPATIBLE, context, what + ": " + reason(), remedy(), null);
    }
  }

  /**
   * One thing that does not fit.
   *
   * @param where the way to it from the value, such as {@code field 'lines' > element}; empty when
   *     it is the value itself
   * @param stored what was stored: the innermost type with fields or constants, or a form
   * @param expected what the code has there now
   * @param reason a clause
   * @param remedy a sentence
   */
  record Mismatch(String where, String stored, String expected, String reason, String remedy) {
    @Override
    public String toString() {
      return "stored "
          + stored
          + ", expected "
          + expected
          + ": "
          + (where.isEmpty() ? "" : where + ": ")
          + reason;
    }
  }

  /**
   * The reader, or the exception that says why there is none.
   *
   * @param what the values are, such as {@code state 'totals' of node 'per-user'}; begins the
   *     message
   * @param context where
   * @throws StreamForgeException with {@link ErrorCode#STATE_INCOMPATIBLE} when refused
   */
  Readable<T> orThrow(String what, ErrorContext context);

  /** The values are read by the serde itself. */
  static <T> Reading<T> asStored(Serde<T> serde) {
    return new Readable<>(serde, true);
  }

  /** The values are read by another reader, and get other bytes when they are written again. */
  static <T> Reading<T> converted(ValueReader<T> reader) {
    return new Readable<>(reader, false);
  }

  /**
   * The values cannot be read.
   *
   * @param stored what was stored
   * @param expected what is expected
   * @param reason a clause
   * @param remedy a sentence
   */
  static <T> Reading<T> refused(Schema stored, Schema expected, String reason, String remedy) {
    return new Refused<>(
        List.of(new Mismatch("", stored.toString(), expected.toString(), reason, remedy)));
  }
}
