package io.streamforge.runtime.source;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.runtime.task.Deadlines;
import io.streamforge.runtime.task.JobControl;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Task;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the splits of a source, at the start and then from time to time, and assigns them to its
 * tasks.
 */
public final class SourceCoordinator implements Task {
  private final String node;
  private final SplitEnumerator enumerator;
  private final boolean bounded;
  private final List<StageTask> tasks;
  private final JobControl control;
  private final Scheduler scheduler;
  private final Map<String, Manifest.SplitPart> restored = new LinkedHashMap<>();
  private final SerialWork discovery;
  private volatile long nextNanos;
  private volatile boolean stopped;
  private boolean begun;
  private int discovered;

  /**
   * For the tasks of one source node.
   *
   * @param restored splits that the checkpoint knows from which the job goes on
   */
  public SourceCoordinator(
      String node,
      SplitEnumerator enumerator,
      boolean bounded,
      List<Manifest.SplitPart> restored,
      List<StageTask> tasks,
      JobControl control,
      Scheduler scheduler) {
    this.node = node;
    this.enumerator = enumerator;
    this.bounded = bounded;
    this.tasks = List.copyOf(tasks);
    this.control = control;
    this.scheduler = scheduler;
    restored.forEach(part -> this.restored.put(part.id(), part));
    this.discovery = new SerialWork(scheduler, "discover " + node, this::discover);
  }

  /** The first discovery, on the thread that starts the job; an error stops the start. */
  public void start() {
    try {
      assign();
    } catch (Exception e) {
      throw SourceFailures.of(node, e);
    }
    nextNanos =
        bounded || drained() || enumerator.discoveryMillis() <= 0
            ? Long.MAX_VALUE
            : Deadlines.after(scheduler.clock(), enumerator.discoveryMillis());
  }

  private void assign() throws Exception {
    List<List<Manifest.SplitPart>> assignments = new ArrayList<>();
    tasks.forEach(task -> assignments.add(new ArrayList<>()));
    if (!begun && !drained() && !restored.isEmpty()) {
      enumerator.restore(
          restored.values().stream().map(part -> new Split(part.id(), part.position())).toList());
      // Also those that have disappeared since: the reader says so.
      restored.values().forEach(part -> assign(part, assignments));
    }
    begun = true;
    for (Split split : drained() ? List.<Split>of() : enumerator.discover()) {
      if (!restored.containsKey(split.id())) {
        assign(Manifest.SplitPart.unread(split.id(), split.position()), assignments);
      }
    }
    for (int i = 0; i < tasks.size(); i++) {
      StageTask task = tasks.get(i);
      List<Manifest.SplitPart> splits = assignments.get(i);
      boolean last = bounded || drained();
      if (last || !splits.isEmpty()) {
        task.mailbox().send(() -> ((SplitInput) task.input()).addSplits(splits, last));
      }
    }
  }

  /** Whether the source was ended by hand before this start. */
  private boolean drained() {
    return restored.containsKey(Manifest.SplitPart.DRAINED.id());
  }

  private void assign(Manifest.SplitPart part, List<List<Manifest.SplitPart>> assignments) {
    if (!part.finished()) {
      Split split = new Split(part.id(), part.position());
      assignments.get(enumerator.assign(split, discovered++, tasks.size())).add(part);
    }
  }

  private void discover() {
    if (stopped) {
      return;
    }
    try {
      assign();
    } catch (Exception e) {
      if (!stopped) {
        control.failed(SourceFailures.of(node, e));
      }
    }
  }

  @Override
  public Progress run() {
    if (stopped || control.stopping() || nextNanos == Long.MAX_VALUE) {
      return Progress.DONE;
    }
    if (scheduler.clock().monotonicNanos() - nextNanos < 0) {
      return Progress.IDLE;
    }
    nextNanos = Deadlines.after(scheduler.clock(), enumerator.discoveryMillis());
    discovery.wake();
    return Progress.WORKED;
  }

  @Override
  public long deadlineNanos() {
    return nextNanos;
  }

  /** Discovers no more. */
  public void stop() {
    stopped = true;
  }

  /** Releases what the enumerator holds; after the last step of all tasks. */
  public void close() throws Exception {
    stopped = true;
    enumerator.close();
  }
}
