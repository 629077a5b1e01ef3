package io.streamforge.runtime.task;

import io.streamforge.metrics.EventTimeReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How event time of a task stands, seen between two of its steps.
 *
 * @param task its id
 * @param watermarkMillis of its input
 * @param ofNodes event time that each of its operators has reached
 * @param nextDueMillis when each of its operators has something to do next; {@link Long#MAX_VALUE}:
 *     it waits for nothing
 * @param holder who sends the input that holds it back; null: none does
 * @param splits those that it reads
 */
public record TaskTimes(
    String task,
    long watermarkMillis,
    Map<String, Long> ofNodes,
    Map<String, Long> nextDueMillis,
    @Nullable Sender holder,
    List<EventTimeReport.SplitTime> splits) {
  /** Copies the collections. */
  public TaskTimes {
    ofNodes = Map.copyOf(ofNodes);
    nextDueMillis = Map.copyOf(nextDueMillis);
    splits = List.copyOf(splits);
  }
}
