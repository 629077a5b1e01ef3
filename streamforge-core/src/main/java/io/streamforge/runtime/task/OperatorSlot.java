package io.streamforge.runtime.task;

import io.streamforge.backend.TaskStates;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.Operator;
import io.streamforge.record.Timestamps;
import io.streamforge.sink.SinkWriter;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * Event times of its key groups in an earlier start of the job; null where they were the same, or
   * {@link #watermark} has reached the last of them.
   */
  @Nullable GroupTimes before;

  /**
   * Event time that has come to it in this start of the job: {@link #watermark}, or less where an
   * earlier start had got further.
   */
  long reached = Long.MIN_VALUE;

  /** What those behind it are told of event time. */
  long forwarded = Long.MIN_VALUE;

  /** The operators of the task that it reads. */
  List<OperatorSlot> feeders = List.of();

  /** Whether it reads what comes into the task. */
  boolean readsInput;

  OperatorSlot(String node, NodeCounters counters, boolean sink) {
    this.node = node;
    this.counters = counters;
    this.sink = sink;
  }

  /** Event time of what it reads, once that of the task's input has reached those before it. */
  long arriving(long inputMillis) {
    long arriving = readsInput ? inputMillis : Timestamps.MAX;
    for (OperatorSlot feeder : feeders) {
      arriving = Math.min(arriving, feeder.forwarded);
    }
    return arriving;
  }

  /** It has fired what was due at the event time that it has reached. */
  void settled() {
    forwarded = operator.outputWatermark(reached);
    if (before != null && watermark >= before.latest()) {
      before = null;
    }
  }

  /** Event time that it has handled for these groups, which are the task's. */
  List<Manifest.GroupTime> times(Manifest.GroupRange groups) {
    if (before == null) {
      return List.of(new Manifest.GroupTime(groups, watermark));
    }
    List<Manifest.GroupTime> times = new ArrayList<>();
    int first = groups.first();
    for (int group = first; group < groups.end(); group++) {
      long millis = Math.max(watermark, before.ofGroup(group));
      boolean last = group + 1 == groups.end();
      if (last || Math.max(watermark, before.ofGroup(group + 1)) != millis) {
        times.add(new Manifest.GroupTime(new Manifest.GroupRange(first, group + 1), millis));
        first = group + 1;
      }
    }
    return times;
  }

  /**
   * Event time up to which all has been done: timers of the last watermark may still be to fire.
   */
  long firedToMillis() {
    long next = timers == null ? Long.MAX_VALUE : timers.next(TimeDomain.EVENT);
    return next > watermark ? watermark : Timestamps.minus(next, 1);
  }
}
