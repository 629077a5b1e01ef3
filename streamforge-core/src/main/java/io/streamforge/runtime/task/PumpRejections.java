package io.streamforge.runtime.task;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.scheduler.Waker;
import io.streamforge.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link SinkPump} rejects: it is skipped, or goes through a channel to the pump that writes
 * the dead letters. Barriers go the same way, so that a dead letter belongs to the same checkpoint
 * as the record that it was. Used by the pump's thread only.
 */
final class PumpRejections {
  private final NodeRejections rejections;
  private final SinkPump.@Nullable DeadLetters to;
  private final String node;

  /** A record comes here that the task has booked as processed when it handed it over. */
  private final NodeCounters rejected = new NodeCounters();

  private final NodeCounters sent = new NodeCounters();
  private boolean ended;

  PumpRejections(SinkPump.Rejecting of, Clock clock) {
    this.node = of.of().node();
    this.to = of.letters();
    this.rejections =
        new NodeRejections(
            of.of(), rejected, true, to == null ? null : this::send, clock, () -> null);
  }

  /** Who is woken when there is room for dead letters again. */
  void connect(Waker waker) {
    if (to != null) {
      to.connecting().accept(waker);
    }
  }

  /** What is counted here of a node; null: nothing. */
  @Nullable NodeCounters counters(String of) {
    return of.equals(node) ? rejected : to != null && of.equals(to.node()) ? sent : null;
  }

  void reject(Batch batch, int at, Exception failure) throws Exception {
    rejections.record(
        batch.keys[at], batch.values[at], batch.timestamps[at], batch.headers(at), failure);
  }

  private void send(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    if (to != null) {
      sent.in++;
      sent.processed++;
      to.output().process(key, value, timestampMillis, headers);
    }
  }

  /** Whether all has found room; otherwise the pump waits until it is woken. */
  boolean drained() {
    return to == null || to.output().drainHeld();
  }

  /** Sends a barrier; all before it has found room. */
  void barrier(long checkpoint) {
    if (to != null) {
      to.output().barrier(checkpoint);
    }
  }

  void flush() {
    if (to != null) {
      to.output().flush();
    }
  }

  /** Says that nothing more comes; false when that has found no room: again when woken. */
  boolean end() {
    if (to == null) {
      return true;
    }
    if (!ended) {
      ended = true;
      to.output().end();
    }
    return to.output().flush();
  }

  void close() {
    rejections.close();
    if (to != null) {
      to.output().close();
    }
  }
}
