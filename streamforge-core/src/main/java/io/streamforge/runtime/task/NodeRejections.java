package io.streamforge.runtime.task;

import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Output;
import io.streamforge.operator.Rejections;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips the records that a node rejects in one task, or makes dead letters of them; books them, and
 * logs the first at once and then so many of them, every 10 s at most.
 */
public final class NodeRejections implements Rejections {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRejections.class);
  private static final long LOG_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * The node, and what is known of its records.
   *
   * @param otherwise kind of a failure that does not tell its own
   * @param keys how its keys are written, if they can be
   * @param values how its values are written, if they can be
   */
  public record Rejecting(
      String job, String node, String task, ErrorCode otherwise, Inferred keys, Inferred values) {}

  /** Bytes, and what they are. */
  private record Form(byte[] bytes, String name) {}

  private final Rejecting of;
  private final NodeCounters counters;

  /** Whether the records that come here have been booked as processed. */
  private final boolean booked;

  /** Where dead letters go; null: records are skipped. */
  private final @Nullable Output letters;

  private final Clock clock;
  private final Supplier<@Nullable String> position;
  private long logged;
  private long unlogged;
  private long lastLoggedNanos;

  /**
   * Of a node in a task.
   *
   * @param booked whether the records that come here have been booked as processed
   * @param letters where dead letters go; null: records are skipped
   * @param position where the record in hand was read; gives null where that is not known
   */
  public NodeRejections(
      Rejecting of,
      NodeCounters counters,
      boolean booked,
      @Nullable Output letters,
      Clock clock,
      Supplier<@Nullable String> position) {
    this.of = of;
    this.counters = counters;
    this.booked = booked;
    this.letters = letters;
    this.clock = clock;
    this.position = position;
  }

  @Override
  public void record(
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers,
      Exception failure)
      throws Exception {
    ErrorCode code = code(failure);
    String place = place(failure);
    if (booked) {
      counters.processed--;
    }
    Output to = letters;
    if (to == null) {
      counters.dropped(reason(code)).count++;
    } else {
      counters.deadLettered++;
    }
    log(key, value, place, failure);
    if (to != null) {
      Long timestamp = timestampMillis == Timestamps.MIN ? null : timestampMillis;
      send(to, key, value, timestamp, headers, code, place, failure, null);
    }
  }

  @Override
  public void timer(Object key, long timeMillis, Exception failure) throws Exception {
    counters.timersRejected++;
    log(key, "timer at " + timeMillis, null, failure);
    if (letters != null) {
      send(letters, key, null, null, null, code(failure), null, failure, timeMillis);
    }
  }

  private ErrorCode code(Exception failure) {
    return failure instanceof StreamForgeException known ? known.code() : of.otherwise;
  }

  private @Nullable String place(Exception failure) {
    String known = failure instanceof StreamForgeException e ? e.context().position() : null;
    return known == null ? position.get() : known;
  }

  /** Such as {@code skipped: function failed}; there are as many as codes. */
  private static String reason(ErrorCode code) {
    return "skipped: " + code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String message(Exception failure) {
    return failure instanceof StreamForgeException known
        ? known.summary()
        : Rendering.cause(failure);
  }

  private void log(
      @Nullable Object key, @Nullable Object value, @Nullable String place, Exception failure) {
    long now = clock.monotonicNanos();
    if (logged > 0 && now - lastLoggedNanos < LOG_PERIOD_NANOS) {
      unlogged++;
      return;
    }
    LOG.warn(
        "node '{}' of job '{}', task {}, {} {}={}{}: {}{}",
        of.node,
        of.job,
        of.task,
        letters == null ? "skips" : "sends to its dead letters",
        shown(key),
        shown(value),
        place == null ? "" : " at " + place,
        message(failure),
        unlogged == 0 ? "" : "; and before it " + unlogged + " more");
    logged++;
    unlogged = 0;
    lastLoggedNanos = now;
  }

  private static String shown(@Nullable Object part) {
    return part == null
        ? "null"
        : Rendering.shortened(
            part instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : part);
  }

  private void send(
      Output to,
      @Nullable Object key,
      @Nullable Object value,
      @Nullable Long timestampMillis,
      @Nullable Headers headers,
      ErrorCode code,
      @Nullable String place,
      Exception failure,
      @Nullable Long timerMillis)
      throws Exception {
    boolean original = code == ErrorCode.RECORD_MALFORMED && value instanceof byte[];
    Form keyForm = form(key, of.keys, false);
    Form valueForm = form(value, of.values, original);
    long now = clock.wallMillis();
    Throwable cause =
        failure instanceof StreamForgeException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    List<Headers.Header> all = new ArrayList<>(headers == null ? List.of() : headers.entries());
    add(all, DeadLetter.NODE, of.node);
    add(all, DeadLetter.CODE, code.name());
    add(all, DeadLetter.EXCEPTION, cause.getClass().getName());
    add(
        all,
        DeadLetter.MESSAGE,
        failure instanceof StreamForgeException known ? known.summary() : text(failure));
    add(all, DeadLetter.POSITION, place);
    add(all, DeadLetter.TIMESTAMP, timestampMillis);
    add(all, DeadLetter.REJECTED, now);
    add(all, DeadLetter.FORM, valueForm == null ? null : valueForm.name);
    add(all, DeadLetter.TIMER, timerMillis);
    Long time = timestampMillis != null ? timestampMillis : timerMillis;
    to.process(
        keyForm == null ? null : keyForm.bytes,
        valueForm == null ? null : valueForm.bytes,
        time != null && Timestamps.isValid(time) ? time : now,
        Headers.of(all));
  }

  private static @Nullable String text(Exception failure) {
    try {
      return failure.getMessage();
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static void add(List<Headers.Header> all, String name, @Nullable Object value) {
    if (value != null) {
      all.add(new Headers.Header(name, value.toString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static @Nullable Form form(@Nullable Object part, Inferred form, boolean original) {
    if (part == null) {
      return null;
    }
    if (part instanceof byte[] bytes) {
      return new Form(bytes, original ? DeadLetter.ORIGINAL : "bytes");
    }
    if (!(part instanceof String) && form instanceof Inferred.Found found) {
      Serde<Object> serde = Values.cast(found.serde());
      try {
        ByteWriter writer = new ByteWriter();
        serde.write(part, writer);
        return new Form(writer.toByteArray(), serde.name());
      } catch (RuntimeException e) {
        // What has made the record one to be rejected may be just that; it is shown as text.
        LOG.debug("a rejected {} is not written by {}", part.getClass(), serde.name(), e);
      }
    }
    return new Form(text(part).getBytes(StandardCharsets.UTF_8), DeadLetter.TEXT);
  }

  private static String text(Object part) {
    try {
      return String.valueOf(part);
    } catch (RuntimeException e) {
      return Rendering.shortened(part);
    }
  }

  @Override
  public void close() {
    if (unlogged > 0) {
      LOG.warn(
          "node '{}' of job '{}', task {}, has rejected {} more",
          of.node,
          of.job,
          of.task,
          unlogged);
      unlogged = 0;
    }
  }
}
