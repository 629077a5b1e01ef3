package io.streamforge.runtime.task;

import io.streamforge.backend.TaskStates;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Operator;
import io.streamforge.sink.SinkWriter;
import org.jspecify.annotations.Nullable;

/** An operator in its task. */
final class OperatorSlot {
  final String node;
  final NodeCounters counters;
  final boolean sink;

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
}
