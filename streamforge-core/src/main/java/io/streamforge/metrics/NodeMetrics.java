package io.streamforge.metrics;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The books of a node over all its tasks at one moment; in = processed + late + dropped +
 * dead-lettered but for records that are on their way at that moment.
 *
 * @param node its name
 * @param in records that have entered
 * @param processed records that have been processed
 * @param late records that no window accepted any more
 * @param dropped records dropped, by reason
 * @param deadLettered records that have gone to the node's dead letters
 * @param timersRejected timers whose function has failed and that the node's error policy covers;
 *     they are no records
 * @param out records emitted, without dead letters
 * @param watermarkMillis smallest event time of its tasks; {@link Long#MIN_VALUE}: none yet
 * @param heldBackBy which input holds it back, as {@code task 1[0]: task 0[1]}; null: none does
 */
public record NodeMetrics(
    String node,
    long in,
    long processed,
    long late,
    Map<String, Long> dropped,
    long deadLettered,
    long timersRejected,
    long out,
    long watermarkMillis,
    @Nullable String heldBackBy) {
  public NodeMetrics {
    dropped = Map.copyOf(dropped);
  }

  /** Records dropped, for whatever reason. */
  public long droppedTotal() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether every record that has entered is accounted for. */
  public boolean balanced() {
    return in == processed + late + deadLettered + droppedTotal();
  }
}
