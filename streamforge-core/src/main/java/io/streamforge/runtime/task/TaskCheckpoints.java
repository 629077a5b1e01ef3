package io.streamforge.runtime.task;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Segment;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Waker;
import io.streamforge.time.Clock;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of one task: which one is due, and what the one that was taken last still has to
 * write. Used by the task's thread only.
 */
// Invariant: a snapshot lives from take() until the verdict on its checkpoint, and the coordinator
// begins no checkpoint before it has sent the verdict on the one before to all tasks. So there is
// at most one snapshot, and none when a barrier comes.
public final class TaskCheckpoints {
  /**
   * What it needs of the job.
   *
   * @param groups key groups of the task
   * @param self wakes the task
   */
  public record Services(
      CheckpointControl control,
      LogOwner owner,
      Scheduler scheduler,
      Manifest.GroupRange groups,
      Waker self) {}

  private final String task;
  private final String subject;
  private final Services services;
  private final TaskClock taskClock;
  private final Clock clock;
  private long requested;
  private long overtaking;
  private long settled;
  private boolean held;
  private boolean endReported;
  private boolean lastPublished;
  private @Nullable Taken taken;

  /** Of the last checkpoint that the task has heard of; null: it has heard of none. */
  private volatile @Nullable ProgressLog progress;

  /** What the task had been blocked for when it heard of that. */
  private long blockedNanos;

  /** Who had work in hand since then; null: nobody. */
  private volatile @Nullable String working;

  private volatile long alignmentNanos;

  /**
   * Of a task that has not run.
   *
   * @param node first node of the task, for messages
   * @param taskClock how the task spends its time
   */
  TaskCheckpoints(String task, String node, Services services, TaskClock taskClock) {
    this.task = task;
    this.subject = "task " + task + " of '" + node + "'";
    this.services = services;
    this.taskClock = taskClock;
    this.clock = services.scheduler.clock();
  }

  /** A checkpoint is asked for that does not come with a barrier. */
  void request(long checkpoint) {
    requested = Math.max(requested, checkpoint);
    if (isNew(checkpoint)) {
      hear(checkpoint, false).spent(Activity.ELSEWHERE, null, 0);
    }
  }

  /** A checkpoint is asked for whose barriers have not all come; what they overtake is recorded. */
  void overtake(long checkpoint) {
    overtaking = Math.max(overtaking, checkpoint);
    if (isNew(checkpoint)) {
      hear(checkpoint, true).spent(Activity.ELSEWHERE, null, 0);
    }
  }

  /** The input may have brought the last barrier. */
  void looked(TaskInput input) {
    long barrier = input.barrier();
    BarrierTimes times = input.barrierTimes();
    if (barrier != 0 && times != null && isNew(barrier)) {
      BarrierTimes.Aligned aligned = times.aligned(barrier);
      if (aligned != null) {
        hear(barrier, false).waited(Activity.BARRIER, aligned.last(), aligned.lastNanos());
      }
    }
  }

  private boolean isNew(long checkpoint) {
    ProgressLog log = progress;
    return checkpoint > settled && (log == null || !log.isOf(checkpoint));
  }

  private ProgressLog hear(long checkpoint, boolean overtaken) {
    ProgressLog log = new ProgressLog(clock, subject, checkpoint, overtaken);
    blockedNanos = taskClock.blockedNanos;
    working = null;
    progress = log;
    return log;
  }

  /** An operator has work in hand that keeps the task from taking a checkpoint. */
  void working(String node) {
    working = node;
  }

  /** How far a checkpoint has come; any thread may ask, a little late. */
  PartProgress progress(long checkpoint, TaskInput input, Gate gate) {
    ProgressLog log = progress;
    if (log == null || !log.isOf(checkpoint)) {
      List<Sender> awaited = input.awaited(checkpoint);
      Activity activity =
          !awaited.isEmpty() ? Activity.BARRIER : gate.full() ? Activity.ROOM : Activity.ELSEWHERE;
      return PartProgress.before(
          subject, checkpoint, new PartProgress.Doing(activity, null, awaited, 0));
    }
    PartProgress latest = log.latest();
    PartProgress.Doing doing = latest.doing();
    if (doing == null) {
      return latest;
    }
    return switch (doing.activity()) {
      case WORK ->
          latest.with(
              new PartProgress.Doing(
                  gate.full() ? Activity.ROOM : Activity.WORK, working, List.of(), 0));
      case BARRIER ->
          latest.with(new PartProgress.Doing(Activity.BARRIER, null, input.awaited(checkpoint), 0));
      default -> latest;
    };
  }

  /** For how long inputs waited for others in the last checkpoint that was taken. */
  long alignmentNanos() {
    return alignmentNanos;
  }

  /**
   * The checkpoint to take now; 0: none.
   *
   * @param barrier that all inputs have brought; 0: none
   */
  long due(long barrier) {
    long due = Math.max(barrier, Math.max(requested, overtaking));
    return due > settled ? due : 0;
  }

  /**
   * Freezes the state of the task as it is now.
   *
   * @param ended whether the task has done all its work: what was to happen later by the clock does
   *     not happen any more, not after a restart either
   */
  void take(long checkpoint, OperatorSlot[] slots, TaskInput input, boolean ended)
      throws Exception {
    if (taken != null) {
      throw new IllegalStateException(
          "checkpoint " + checkpoint + " begins while " + taken.checkpoint + " is in hand");
    }
    if (isNew(checkpoint)) {
      hear(checkpoint, false).spent(Activity.ELSEWHERE, null, 0);
    }
    ProgressLog log = Objects.requireNonNull(progress);
    log.spentUntil(log.endNanos() + taskClock.blockedNanos - blockedNanos, Activity.ROOM, null, 0);
    log.spent(Activity.WORK, working, 0);
    BarrierTimes times = input.barrierTimes();
    alignmentNanos = times == null ? 0 : times.waitedNanos(checkpoint);
    settled = checkpoint;
    Taken begun =
        new Taken(
            checkpoint, input, log, checkpoint == overtaking ? input.overtake(checkpoint) : null);
    taken = begun;
    for (OperatorSlot slot : slots) {
      begun.freeze(slot, ended);
    }
    log.sent(alignmentNanos);
    if (begun.parts == 0 && begun.canWrite()) {
      begun.write(1);
    }
  }

  /** Whether there is something to write and the storage is not behind. */
  boolean canWrite() {
    Taken current = taken;
    return current != null && current.canWrite();
  }

  /** Writes up to about {@code budget} entries, if it can. */
  void write(int budget) {
    Taken current = taken;
    if (current != null && current.canWrite()) {
      current.write(budget);
    }
  }

  /** The verdict on a checkpoint. */
  void published(long checkpoint, boolean last) {
    lastPublished |= last;
    Taken current = taken;
    if (current != null && current.checkpoint == checkpoint) {
      current.snapshots.forEach(KeyedSnapshot::confirm);
      taken = null;
    }
  }

  /** The verdict on a checkpoint. */
  void abandoned(long checkpoint) {
    settled = Math.max(settled, checkpoint);
    Taken current = taken;
    if (current != null && current.checkpoint <= checkpoint) {
      taken = null;
      current.stop();
      current.snapshots.forEach(KeyedSnapshot::abandon);
    }
  }

  /** All that a sink in the task has prepared up to a published checkpoint is visible. */
  void committed(long checkpoint, String node) {
    services.control.committed(checkpoint, writer(node));
  }

  private String writer(String node) {
    return "writer of " + node + " in " + task;
  }

  /** The task has done all its work. */
  void ended() {
    if (!endReported) {
      endReported = true;
      services.control.ended(task);
    }
  }

  /** The input is read no further, or goes on. */
  void hold(boolean newHeld) {
    held = newHeld;
  }

  /** Whether the input is not to be read. */
  boolean held() {
    return held;
  }

  /** Whether the job's last checkpoint has been published. */
  boolean complete() {
    return lastPublished;
  }

  /** The task stops where it is. */
  void close() {
    Taken current = taken;
    if (current != null) {
      current.stop();
    }
  }

  /** No thread runs the task any more, nor work of it: releases what it holds in the storage. */
  void release() {
    Taken current = taken;
    if (current != null) {
      current.upload.release();
    }
  }

  /** A checkpoint that was taken and on which there is no verdict yet. */
  private final class Taken {
    final long checkpoint;
    final List<KeyedSnapshot> snapshots = new ArrayList<>();
    final SnapshotUpload upload;
    private final String object;
    private final @Nullable String source;
    private final List<Manifest.SplitPart> splits;
    private final List<TaskPart.SavedNode> nodes = new ArrayList<>();
    private final List<TaskPart.SavedWriter> writers = new ArrayList<>();

    /** What is to be written, in the order of parts. */
    private final List<Step> steps = new ArrayList<>();

    /** Null where nothing is overtaken. */
    private final @Nullable InFlightRecorder inFlight;

    /** The exchange of each part behind those of nodes. */
    private final List<Inlet> inlets = new ArrayList<>();

    private int parts;
    private int step;
    private boolean written;
    private final ProgressLog log;

    /** Of the step in hand. */
    private long serialisedBytes;

    /** Since the storage was last waited for. */
    private long unstoredBytes;

    /** Since when the storage is behind; MIN_VALUE: it is not. */
    private long behindNanos = Long.MIN_VALUE;

    /** How long it was behind in the step in hand. */
    private long waitedNanos;

    Taken(long checkpoint, TaskInput input, ProgressLog log, @Nullable InFlightRecorder inFlight) {
      this.checkpoint = checkpoint;
      this.log = log;
      this.inFlight = inFlight;
      this.source = input.node();
      this.splits = input.splits();
      this.object = services.owner.dataName(checkpoint, task.replace('[', '-').replace("]", ""));
      this.upload =
          new SnapshotUpload(
              services.owner,
              object,
              services.scheduler,
              services.self,
              this::report,
              cause -> services.control.declined(checkpoint, task, cause));
    }

    void freeze(OperatorSlot slot, boolean ended) throws Exception {
      if (slot.commits != null) {
        log.doing(Activity.PREPARE, slot.node, 0);
        writers.add(
            new TaskPart.SavedWriter(
                writer(slot.node), slot.node, slot.commits.prepare(checkpoint)));
        log.spent(Activity.PREPARE, slot.node, 0);
      }
      if (slot.states == null && !slot.timersAreSaved) {
        return;
      }
      log.doing(Activity.FREEZE, slot.node, 0);
      List<TaskPart.SavedState> states = new ArrayList<>();
      if (slot.states != null) {
        KeyedSnapshot snapshot = slot.states.snapshot();
        snapshots.add(snapshot);
        int first = parts;
        steps.add(
            new Step(
                slot.node,
                budget -> snapshot.write(budget, (part, chunk) -> write(first + part, chunk))));
        for (KeyedSnapshot.Part part : snapshot.parts()) {
          states.add(
              new TaskPart.SavedState(
                  part.state(),
                  part.slice(),
                  part.schema(),
                  part.form(),
                  part.extent(),
                  part.entries(),
                  null));
        }
      }
      if (slot.timers != null && slot.timersAreSaved) {
        for (TimeDomain domain : TimeDomain.values()) {
          List<byte[]> chunks =
              ended && domain == TimeDomain.PROCESSING ? List.of() : slot.timers.save(domain);
          if (!chunks.isEmpty()) {
            int at = parts + states.size();
            steps.add(
                new Step(
                    slot.node,
                    budget -> {
                      chunks.forEach(chunk -> write(at, chunk));
                      return true;
                    }));
            states.add(
                new TaskPart.SavedState(
                    SavedTimers.state(domain),
                    null,
                    slot.timers.schema(),
                    SavedTimers.FORM,
                    KeyedSnapshot.Extent.WHOLE,
                    Manifest.Chain.UNKNOWN,
                    null));
          }
        }
      }
      parts += states.size();
      nodes.add(new TaskPart.SavedNode(slot.node, slot.times(services.groups), states));
      log.spent(Activity.FREEZE, slot.node, 0);
    }

    private void write(int part, byte[] chunk) {
      serialisedBytes += chunk.length;
      unstoredBytes += chunk.length;
      upload.write(part, chunk);
    }

    boolean canWrite() {
      return !written && !upload.saturated() && (step < steps.size() || barriersHaveCome());
    }

    private boolean barriersHaveCome() {
      InFlightRecorder recorder = inFlight;
      return recorder == null || recorder.complete() || recorder.isTooMuch();
    }

    void stop() {
      upload.abandon();
      if (inFlight != null) {
        inFlight.stop();
      }
    }

    void write(int budget) {
      if (behindNanos != Long.MIN_VALUE) {
        waitedNanos += clock.monotonicNanos() - behindNanos;
        behindNanos = Long.MIN_VALUE;
      }
      while (step < steps.size()) {
        Step current = steps.get(step);
        if (!current.entries.write(budget)) {
          log.doing(Activity.SERIALISE, current.node, serialisedBytes);
          if (upload.saturated()) {
            behindNanos = clock.monotonicNanos();
            log.doing(Activity.STORE, null, unstoredBytes);
          }
          return;
        }
        step++;
        serialised(current.node);
      }
      if (!barriersHaveCome()) {
        log.doing(Activity.BARRIER, null, 0);
        return;
      }
      written = true;
      if (inFlight != null) {
        log.waited(Activity.BARRIER, inFlight.last(), clock.monotonicNanos());
      }
      if (inFlight != null && inFlight.isTooMuch()) {
        String reason = inFlight.tooMuch();
        stop();
        services.control.declined(checkpoint, task, new IllegalStateException(reason));
        return;
      }
      writeInFlight();
      if (parts == 0) {
        report(Map.of());
      } else {
        log.doing(Activity.STORE, null, unstoredBytes);
        upload.end();
      }
    }

    /** A step is done; for the time in which the storage was behind that was what took time. */
    private void serialised(String node) {
      long now = clock.monotonicNanos();
      log.spentUntil(now - waitedNanos, Activity.SERIALISE, node, serialisedBytes);
      serialisedBytes = 0;
      if (waitedNanos > 0) {
        log.spentUntil(now, Activity.STORE, null, unstoredBytes);
        unstoredBytes = 0;
        waitedNanos = 0;
      }
    }

    private void writeInFlight() {
      if (inFlight != null) {
        for (InFlightRecorder.Exchanged exchanged : inFlight.exchanges()) {
          if (!exchanged.chunks.isEmpty()) {
            int part = parts++;
            inlets.add(exchanged.inlet);
            exchanged.chunks.forEach(chunk -> write(part, chunk));
          }
        }
      }
    }

    /** On an I/O thread where there was something to write: the task writes no more. */
    private void report(Map<Integer, Segment> segments) {
      log.spent(Activity.STORE, null, unstoredBytes);
      log.reported();
      int next = 0;
      List<TaskPart.SavedNode> saved = new ArrayList<>();
      for (TaskPart.SavedNode node : nodes) {
        List<TaskPart.SavedState> states = new ArrayList<>();
        for (TaskPart.SavedState state : node.states()) {
          Segment segment = segments.get(next++);
          states.add(segment == null ? state : state.in(new Manifest.Piece(object, segment)));
        }
        saved.add(new TaskPart.SavedNode(node.node(), node.times(), states));
      }
      List<TaskPart.SavedInFlight> overtaken = new ArrayList<>();
      for (Inlet inlet : inlets) {
        Segment segment = segments.get(next++);
        if (segment != null) {
          overtaken.add(
              new TaskPart.SavedInFlight(
                  inlet.from(), inlet.node(), new Manifest.Piece(object, segment)));
        }
      }
      services.control.taken(
          new TaskPart(
              checkpoint, task, services.groups, saved, source, splits, writers, overtaken));
    }
  }

  private interface Entries {
    /** Writes up to about {@code budget} entries; whether that was all. */
    boolean write(int budget);
  }

  /** What is to be written of one node. */
  private record Step(String node, Entries entries) {}
}
