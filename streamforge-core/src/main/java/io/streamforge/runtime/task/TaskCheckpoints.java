package io.streamforge.runtime.task;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Segment;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Waker;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final Services services;
  private long requested;
  private long overtaking;
  private long settled;
  private boolean held;
  private boolean endReported;
  private boolean lastPublished;
  private @Nullable Taken taken;

  TaskCheckpoints(String task, Services services) {
    this.task = task;
    this.services = services;
  }

  /** A checkpoint is asked for that does not come with a barrier. */
  void request(long checkpoint) {
    requested = Math.max(requested, checkpoint);
  }

  /** A checkpoint is asked for whose barriers have not all come; what they overtake is recorded. */
  void overtake(long checkpoint) {
    overtaking = Math.max(overtaking, checkpoint);
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
    settled = checkpoint;
    Taken begun =
        new Taken(checkpoint, input, checkpoint == overtaking ? input.overtake(checkpoint) : null);
    taken = begun;
    for (OperatorSlot slot : slots) {
      begun.freeze(slot, ended);
    }
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

    Taken(long checkpoint, TaskInput input, @Nullable InFlightRecorder inFlight) {
      this.checkpoint = checkpoint;
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
        writers.add(
            new TaskPart.SavedWriter(
                writer(slot.node), slot.node, slot.commits.prepare(checkpoint)));
      }
      if (slot.states == null && !slot.timersAreSaved) {
        return;
      }
      List<TaskPart.SavedState> states = new ArrayList<>();
      if (slot.states != null) {
        KeyedSnapshot snapshot = slot.states.snapshot();
        snapshots.add(snapshot);
        int first = parts;
        steps.add(
            budget -> snapshot.write(budget, (part, chunk) -> upload.write(first + part, chunk)));
        for (KeyedSnapshot.Part part : snapshot.parts()) {
          states.add(
              new TaskPart.SavedState(
                  part.state(), part.slice(), part.schema(), part.form(), part.extent(), null));
        }
      }
      if (slot.timers != null && slot.timersAreSaved) {
        for (TimeDomain domain : TimeDomain.values()) {
          List<byte[]> chunks =
              ended && domain == TimeDomain.PROCESSING ? List.of() : slot.timers.save(domain);
          if (!chunks.isEmpty()) {
            int at = parts + states.size();
            steps.add(
                budget -> {
                  chunks.forEach(chunk -> upload.write(at, chunk));
                  return true;
                });
            states.add(
                new TaskPart.SavedState(
                    SavedTimers.state(domain),
                    null,
                    slot.timers.schema(),
                    SavedTimers.FORM,
                    KeyedSnapshot.Extent.WHOLE,
                    null));
          }
        }
      }
      parts += states.size();
      nodes.add(new TaskPart.SavedNode(slot.node, slot.watermark, states));
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
      while (step < steps.size()) {
        if (!steps.get(step).write(budget)) {
          return;
        }
        step++;
      }
      if (!barriersHaveCome()) {
        return;
      }
      written = true;
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
        upload.end();
      }
    }

    private void writeInFlight() {
      if (inFlight != null) {
        for (InFlightRecorder.Exchanged exchanged : inFlight.exchanges()) {
          if (!exchanged.chunks.isEmpty()) {
            int part = parts++;
            inlets.add(exchanged.inlet);
            exchanged.chunks.forEach(chunk -> upload.write(part, chunk));
          }
        }
      }
    }

    private void report(Map<Integer, Segment> segments) {
      int next = 0;
      List<TaskPart.SavedNode> saved = new ArrayList<>();
      for (TaskPart.SavedNode node : nodes) {
        List<TaskPart.SavedState> states = new ArrayList<>();
        for (TaskPart.SavedState state : node.states()) {
          Segment segment = segments.get(next++);
          states.add(segment == null ? state : state.in(new Manifest.Piece(object, segment)));
        }
        saved.add(new TaskPart.SavedNode(node.node(), node.watermark(), states));
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

  private interface Step {
    /** Writes up to about {@code budget} entries; whether that was all. */
    boolean write(int budget);
  }
}
