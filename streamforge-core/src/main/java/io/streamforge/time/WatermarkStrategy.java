package io.streamforge.time;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a source's event time is found and how its watermark follows from it. Each split (partition,
 * file) has a watermark of its own; the source's is the smallest of its active splits. Immutable.
 *
 * <p>A watermark W promises that no record below W is expected. A promise that is broken does no
 * harm to a record whose window is still kept: see {@code docs/time-and-windows.md}.
 *
 * @param kind how the watermark follows from the records
 * @param outOfOrderness of {@link Kind#BOUNDED}: W = largest timestamp − this
 * @param timestamps null: the record's own timestamp
 * @param punctuator of {@link Kind#PUNCTUATED}
 * @param idleAfter a split without records for this long no longer holds the watermark back; null:
 *     it always does
 * @param maxDrift a split whose watermark is this far ahead of the slowest split of the source is
 *     not read until that one catches up; null: no alignment
 * @param maxAhead the watermark is never further than this ahead of the wall clock; null: unbounded
 */
public record WatermarkStrategy<K, V>(
    Kind kind,
    Duration outOfOrderness,
    @Nullable TimestampExtractor<K, V> timestamps,
    @Nullable Punctuator<K, V> punctuator,
    @Nullable Duration idleAfter,
    @Nullable Duration maxDrift,
    @Nullable Duration maxAhead) {

  /**
   * How far the splits of a source may drift apart unless {@link #maxDrift(Duration)} says else.
   */
  public static final Duration DEFAULT_MAX_DRIFT = Duration.ofMinutes(1);

  /** How the watermark follows from the records. */
  public enum Kind {
    /** The largest timestamp less a bound. */
    BOUNDED,
    /** What certain records say. */
    PUNCTUATED,
    /**
     * No event time: each record is stamped with the time of reading, and the only watermark is the
     * final one.
     */
    NONE
  }

  public WatermarkStrategy {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(outOfOrderness);
  }

  /**
   * Records are at most {@code outOfOrderness} behind the largest timestamp seen before them in
   * their split.
   */
  public static <K, V> WatermarkStrategy<K, V> boundedOutOfOrderness(Duration outOfOrderness) {
    return of(Kind.BOUNDED, outOfOrderness, null);
  }

  /** Timestamps never go back within a split. */
  public static <K, V> WatermarkStrategy<K, V> monotonous() {
    return of(Kind.BOUNDED, Duration.ZERO, null);
  }

  /** Certain records carry the watermark; it takes effect right behind them. */
  public static <K, V> WatermarkStrategy<K, V> punctuated(Punctuator<K, V> punctuator) {
    return of(Kind.PUNCTUATED, Duration.ZERO, Objects.requireNonNull(punctuator));
  }

  /** No event time; see {@link Kind#NONE}. */
  public static <K, V> WatermarkStrategy<K, V> none() {
    return new WatermarkStrategy<>(Kind.NONE, Duration.ZERO, null, null, null, null, null);
  }

  private static <K, V> WatermarkStrategy<K, V> of(
      Kind kind, Duration outOfOrderness, @Nullable Punctuator<K, V> punctuator) {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, null, punctuator, null, DEFAULT_MAX_DRIFT, null);
  }

  /** The same with event times taken from the record by {@code extractor}. */
  public WatermarkStrategy<K, V> timestamps(TimestampExtractor<K, V> extractor) {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, extractor, punctuator, idleAfter, maxDrift, maxAhead);
  }

  /** The same with idleness; see {@link #idleAfter()}. Positive. */
  public WatermarkStrategy<K, V> idleAfter(Duration timeout) {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, timestamps, punctuator, timeout, maxDrift, maxAhead);
  }

  /** The same with another alignment bound; see {@link #maxDrift()}. Positive. */
  public WatermarkStrategy<K, V> maxDrift(Duration drift) {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, timestamps, punctuator, idleAfter, drift, maxAhead);
  }

  /** The same without alignment between splits. */
  public WatermarkStrategy<K, V> unaligned() {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, timestamps, punctuator, idleAfter, null, maxAhead);
  }

  /** The same with a bound on running ahead of the wall clock; see {@link #maxAhead()}. */
  public WatermarkStrategy<K, V> maxAhead(Duration bound) {
    return new WatermarkStrategy<>(
        kind, outOfOrderness, timestamps, punctuator, idleAfter, maxDrift, bound);
  }

  /** Whether there is event time at all. */
  public boolean hasEventTime() {
    return kind != Kind.NONE;
  }
}
