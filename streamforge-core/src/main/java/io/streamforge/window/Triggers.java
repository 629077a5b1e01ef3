package io.streamforge.window;

import io.streamforge.record.Timestamps;
import io.streamforge.time.TimeDomain;
import java.time.Duration;

/** The triggers that come with the engine. */
public final class Triggers {
  private Triggers() {}

  /** Fires at every {@code records}-th record of a key and window since the last firing. */
  public static <K> Trigger<K> everyRecords(long records) {
    return new EveryRecords<>(records);
  }

  /**
   * Fires when the watermark passes a multiple of {@code period} after the window's start and
   * records have been added since the last firing.
   */
  public static <K> Trigger<K> everyEventTime(Duration period) {
    return new EveryEventTime<>(period);
  }

  /** Fires {@code period} after the first record that was added since the last firing. */
  public static <K> Trigger<K> everyProcessingTime(Duration period) {
    return new EveryProcessingTime<>(period);
  }

  /** See {@link Triggers#everyRecords}. */
  public record EveryRecords<K>(long records) implements Trigger<K> {
    @Override
    public Decision onRecord(TriggerContext<K> context) {
      return context.countSinceFiring() >= records ? Decision.FIRE : Decision.CONTINUE;
    }

    @Override
    public String toString() {
      return records == 1 ? "every record" : "every " + records + " records";
    }
  }

  /** See {@link Triggers#everyEventTime}. */
  public record EveryEventTime<K>(Duration period) implements Trigger<K> {
    @Override
    public Decision onRecord(TriggerContext<K> context) {
      long millis = period.toMillis();
      long start = context.window().startMillis();
      long now = Math.max(context.watermarkMillis(), context.timestampMillis());
      long origin = start == Timestamps.MIN ? 0 : start;
      long into = Math.floorMod(Timestamps.minus(now, origin), millis);
      context.setEventTimer(Timestamps.plus(Timestamps.minus(now, into), millis));
      return Decision.CONTINUE;
    }

    @Override
    public Decision onTimer(TriggerContext<K> context, long timerMillis, TimeDomain domain) {
      return context.countSinceFiring() > 0 ? Decision.FIRE : Decision.CONTINUE;
    }

    @Override
    public String toString() {
      return "every " + Windows.text(period) + " of event time";
    }
  }

  /** See {@link Triggers#everyProcessingTime}. */
  public record EveryProcessingTime<K>(Duration period) implements Trigger<K> {
    @Override
    public Decision onRecord(TriggerContext<K> context) {
      if (context.countSinceFiring() == 1) {
        context.setProcessingTimer(
            Timestamps.plus(context.processingTimeMillis(), period.toMillis()));
      }
      return Decision.CONTINUE;
    }

    @Override
    public Decision onTimer(TriggerContext<K> context, long timerMillis, TimeDomain domain) {
      return context.countSinceFiring() > 0 ? Decision.FIRE : Decision.CONTINUE;
    }

    @Override
    public String toString() {
      return "every " + Windows.text(period) + " of processing time";
    }
  }
}
