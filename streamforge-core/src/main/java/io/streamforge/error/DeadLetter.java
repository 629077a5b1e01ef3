package io.streamforge.error;

import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A rejected record as it comes to a sink for dead letters.
 *
 * <p>Its key and value are bytes: those that a source has read; an array of bytes as it is; a
 * string in UTF-8; anything else as its serde writes it, or as text where it has no serde. Its
 * timestamp is that of the record, or the time of the rejection where the record has none that is
 * valid. Its headers are those of the record, and behind them the ones that are named here, all
 * text in UTF-8. This class reads them.
 *
 * @param node the node that has rejected it
 * @param code what kind of error it was
 * @param exception class of what was thrown
 * @param message its message; null when it has none
 * @param position where the record was read, such as a file and line, or a split and position; null
 *     where that is not known
 * @param timestampMillis timestamp of the record, also one that is not valid; null when it was
 *     rejected before it had one
 * @param rejectedMillis when it was rejected, by the job's clock
 * @param form what the bytes of the value are: {@code original}, {@code text}, or the name of the
 *     serde that has written them; null when there is no value
 * @param timerMillis the time of the timer; null when it was a record that was rejected
 */
public record DeadLetter(
    String node,
    ErrorCode code,
    String exception,
    @Nullable String message,
    @Nullable String position,
    @Nullable Long timestampMillis,
    long rejectedMillis,
    @Nullable String form,
    @Nullable Long timerMillis) {
  /** Name of the header with {@link #node}. */
  public static final String NODE = "streamforge.node";

  /** Name of the header with {@link #code}. */
  public static final String CODE = "streamforge.code";

  /** Name of the header with {@link #exception}. */
  public static final String EXCEPTION = "streamforge.exception";

  /** Name of the header with {@link #message}. */
  public static final String MESSAGE = "streamforge.message";

  /** Name of the header with {@link #position}. */
  public static final String POSITION = "streamforge.position";

  /** Name of the header with {@link #timestampMillis}. */
  public static final String TIMESTAMP = "streamforge.timestamp";

  /** Name of the header with {@link #rejectedMillis}. */
  public static final String REJECTED = "streamforge.rejected";

  /** Name of the header with {@link #form}. */
  public static final String FORM = "streamforge.form";

  /** Name of the header with {@link #timerMillis}. */
  public static final String TIMER = "streamforge.timer";

  /** The {@link #form} of bytes that are as a source has read them. */
  public static final String ORIGINAL = "original";

  /** The {@link #form} of bytes that are text in UTF-8. */
  public static final String TEXT = "text";

  /**
   * What the headers of a dead letter say.
   *
   * @throws IllegalArgumentException when the record is none
   */
  public static DeadLetter of(Record<?, ?> letter) {
    Headers headers = letter.headers();
    String node = text(headers, NODE);
    String code = text(headers, CODE);
    String exception = text(headers, EXCEPTION);
    String rejected = text(headers, REJECTED);
    if (node == null || code == null || exception == null || rejected == null) {
      throw new IllegalArgumentException("not a dead letter, for want of headers: " + headers);
    }
    return new DeadLetter(
        node,
        ErrorCode.valueOf(code),
        exception,
        text(headers, MESSAGE),
        text(headers, POSITION),
        number(headers, TIMESTAMP),
        Long.parseLong(rejected),
        text(headers, FORM),
        number(headers, TIMER));
  }

  /**
   * A dead letter on one line, for people: node, code, what was thrown, position, and the value as
   * text with its control characters escaped.
   */
  public static String line(Record<byte[], byte[]> letter) {
    DeadLetter read = of(letter);
    byte[] value = letter.value();
    return oneLine(
        read.node
            + "\t"
            + read.code
            + "\t"
            + read.exception
            + (read.message == null ? "" : ": " + read.message)
            + "\t"
            + (read.position == null ? "" : read.position)
            + "\t"
            + (value == null ? "" : new String(value, StandardCharsets.UTF_8)));
  }

  /** Escapes control characters but for tabs, of which there are five columns. */
  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line.append("\\n");
      } else if (c == '\r') {
        line.append("\\r");
      } else if (c != '\t' && Character.isISOControl(c)) {
        line.append("\\u%04x".formatted((int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }

  private static @Nullable String text(@Nullable Headers headers, String name) {
    byte[] value = headers == null ? null : headers.last(name);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private static @Nullable Long number(@Nullable Headers headers, String name) {
    String text = text(headers, name);
    return text == null ? null : Long.valueOf(text);
  }
}
