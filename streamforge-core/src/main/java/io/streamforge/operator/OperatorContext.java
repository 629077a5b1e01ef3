package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.serde.Inferred;
import io.streamforge.state.KeyedStates;
import io.streamforge.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an operator may use: the closed list that each host has to provide. Valid for the
 * life of the operator, on the thread that calls it.
 */
public interface OperatorContext {
  /** Name of the node. */
  String node();

  /** Name of the job. */
  String job();

  /** Index of the task within its stage. */
  int taskIndex();

  /** Number of tasks of the stage. */
  int parallelism();

  /** The main output. */
  Output output();

  /** A branch or side output; one that nobody reads swallows what it gets. */
  Output output(String name);

  /**
   * Whether something downstream has no room or has work in hand: an operator that fans out stops
   * as soon as it can. A record that is emitted all the same is kept, up to a limit.
   */
  boolean full();

  /** The task's key in hand. */
  KeyContext keyContext();

  /** The node's counters in this task. */
  NodeCounters counters();

  /** Keyed state of the node in this task. */
  KeyedStates states();

  /** What becomes of records that the node rejects; null: they fail the job. */
  default @Nullable Rejections rejections() {
    return null;
  }

  /** How the values of the node's only or first input are written, or why they cannot be. */
  default Inferred valueForm() {
    return valueForm(0);
  }

  /**
   * How the values of one of the node's inputs are written, or why they cannot be; of a table whose
   * changes it reads, its rows.
   *
   * @param input counted from 0
   */
  Inferred valueForm(int input);

  /**
   * The operator's timers, which call {@code handler}. To be called once, when it is made. They are
   * part of checkpoints.
   */
  Timers timers(TimerHandler handler);

  /**
   * As {@link #timers}, but they are no part of checkpoints: the operator sets them again in {@link
   * Operator#open} according to the state that it finds.
   */
  Timers derivedTimers(TimerHandler handler);

  /**
   * To be called by an operator whose {@link Operator#process} returns with work in hand: no record
   * comes before {@link Operator#resume} has finished it.
   */
  void suspend();

  /**
   * The watermark of the last {@link Operator#onWatermark}, of this or of an earlier start of the
   * job: whatever was due by then has fired. Long.MIN_VALUE before the first.
   */
  long watermark();

  /**
   * Event time that key groups of the task had come to before, where that was not the same for all;
   * null: it was, or has been caught up with. While a record or a timer is handled, {@link
   * #watermark} is that of its key's group.
   */
  default @Nullable GroupTimes groupTimes() {
    return null;
  }

  /** The job's clock. */
  Clock clock();

  /**
   * How long the job has been running, in all its starts from the same checkpoints together. Never
   * goes back; state that is restored was saved at an earlier time or at this one.
   */
  long jobTimeMillis();
}
