package io.streamforge.metrics;

import io.streamforge.record.Timestamps;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why the event time of a node stands where it stands: the way from the node to the split of a
 * source that holds it back, and what has brought it as far as it is. {@code toString()} says it in
 * sentences, a line each.
 *
 * @param node the node
 * @param watermarkMillis smallest event time of its tasks; {@link Long#MIN_VALUE}: none yet; {@link
 *     Long#MAX_VALUE}: all input has ended
 * @param nextDueMillis event time at which the node has something to do next; {@link
 *     Long#MAX_VALUE}: it waits for nothing, or looks for what is due when event time moves
 * @param steps from the task of the node that is furthest behind, upstream to a source; each holds
 *     the one before it back
 * @param holding the split that holds it back; null: none does
 * @param ahead of all splits upstream the one with the latest timestamp; null: there is none
 */
public record EventTimeReport(
    String node,
    long watermarkMillis,
    long nextDueMillis,
    List<Step> steps,
    @Nullable SplitTime holding,
    @Nullable SplitTime ahead) {
  /** Copies the list. */
  public EventTimeReport {
    steps = List.copyOf(steps);
  }

  /**
   * A task on the way.
   *
   * @param task stage and index, as {@code 1[0]}
   * @param nodes its nodes
   * @param watermarkMillis its event time
   */
  public record Step(String task, List<String> nodes, long watermarkMillis) {
    /** Copies the list. */
    public Step {
      nodes = List.copyOf(nodes);
    }
  }

  /** What a split is doing. */
  public enum SplitState {
    /** It holds event time back when it is behind. */
    ACTIVE,
    /** It had no record for so long that it holds nothing back. */
    IDLE,
    /** It is not read until others have caught up. */
    PAUSED,
    /** It holds nothing back any more. */
    ENDED
  }

  /**
   * A split, or partition, of a source.
   *
   * @param source node that reads it
   * @param task that reads it
   * @param split its name
   * @param state what it is doing
   * @param watermarkMillis what it promises; {@link Long#MIN_VALUE}: nothing yet
   * @param unmoved for how long that has not changed; since the start where it never has
   * @param latestMillis largest timestamp of its records in this start of the job; {@link
   *     Long#MIN_VALUE}: there was none
   * @param latestPosition position of the record with that timestamp
   */
  public record SplitTime(
      String source,
      String task,
      String split,
      SplitState state,
      long watermarkMillis,
      Duration unmoved,
      long latestMillis,
      long latestPosition) {}

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append('\'').append(node).append("' is at ").append(time(watermarkMillis));
    if (nextDueMillis != Timestamps.MAX) {
      text.append("; what it does next is due at ").append(time(nextDueMillis));
    }
    for (Step step : steps) {
      text.append("\n  task ")
          .append(step.task)
          .append(" (")
          .append(String.join(", ", step.nodes))
          .append(") is at ")
          .append(time(step.watermarkMillis));
    }
    if (holding != null) {
      text.append("\n  held back by ").append(describe(holding));
    } else if (watermarkMillis == Timestamps.MAX) {
      text.append("\n  all input has ended");
    } else {
      text.append("\n  no split holds it back: all are idle or have ended");
    }
    if (ahead != null && ahead.latestMillis != Timestamps.MIN) {
      text.append("\n  the latest record was at ")
          .append(time(ahead.latestMillis))
          .append(": position ")
          .append(ahead.latestPosition)
          .append(" of split ")
          .append(ahead.split)
          .append(" of '")
          .append(ahead.source)
          .append('\'');
    }
    return text.toString();
  }

  private static String describe(SplitTime split) {
    String name = "split " + split.split + " of '" + split.source + "' (task " + split.task + ")";
    String since = seconds(split.unmoved);
    if (split.watermarkMillis == Timestamps.MIN) {
      return name + ", which has promised no event time for " + since + ", since it is read";
    }
    String state = split.state == SplitState.PAUSED ? ", paused until others have caught up" : "";
    return name + ", at " + time(split.watermarkMillis) + " for " + since + state;
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() < 1_000 ? duration.toMillis() + " ms" : duration.toSeconds() + " s";
  }

  private static String time(long millis) {
    if (millis == Timestamps.MIN) {
      return "no event time yet";
    }
    if (millis == Timestamps.MAX) {
      return "the end of time";
    }
    try {
      return millis + " (" + Instant.ofEpochMilli(millis) + ")";
    } catch (DateTimeException e) {
      return String.valueOf(millis);
    }
  }
}
