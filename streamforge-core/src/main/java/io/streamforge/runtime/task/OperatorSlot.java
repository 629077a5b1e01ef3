package io.streamforge.runtime.task;

import io.streamforge.backend.TaskStates;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Operator;
import io.streamforge.record.Timestamps;
import io.streamforge.sink.SinkWriter;
import io.streamforge.time.TimeDomain;
import org.jspecify.annotations.Nullable;

/** An operator in its task. */
final class OperatorSlot {
  final String node;
  final NodeCounters counters;
  final boolean sink;

  /** Whether it combines records for a node of another stage. */
  boolean combines;

  @SuppressWarnings("NullAway.Init") // set before the task exists
  Operator operator;

  /** Null where there is no keyed state. */
  @Nullable TaskStates states;

  @Nullable TimerQueue timers;

  /** Whether the timers are part of checkpoints. */
  boolean timersAreSaved;

  /** Of a sink that writes on the task's thread: the writer, once it is open; else null. */
  @Nullable SinkWriter<Object, Object> writer;

  /** Where its output is committed; else null. */
  @Nullable WriterCommits commits;

  long watermark = Long.MIN_VALUE;

  OperatorSlot(String node, NodeCounters counters, boolean sink) {
    this.node = node;
    this.counters = counters;
    this.sink = sink;
  }

  /**
   * Event time up to which all has been done: timers of the last watermark may still be to fire.
   */
  long firedToMillis() {
    long next = timers == null ? Long.MAX_VALUE : timers.next(TimeDomain.EVENT);
    return next > watermark ? watermark : Timestamps.minus(next, 1);
  }
}
