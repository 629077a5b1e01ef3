package io.streamforge.runtime.checkpoint;

import io.streamforge.backend.EntrySchema;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.StoredState;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.PieceChunks;
import io.streamforge.checkpoint.ReadAhead;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Renaming;
import io.streamforge.operator.GroupTimes;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.runtime.task.SavedCommittable;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.KeyGroups;
import io.streamforge.sink.WriterState;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a job goes on from: a checkpoint, or nothing. Used by the thread that starts the job, and by
 * those of {@link #inTurns}.
 *
 * <p>Each task takes what it needs; then {@link #checkAllTaken} tells whether something is left
 * that nobody wants, which must not be lost in silence.
 */
public final class RestoredJob {
  private final @Nullable CheckpointLog log;
  private final LogEntry.@Nullable Published checkpoint;
  private final int groups;
  private final int groupsBefore;
  private final @Nullable RenamedParts parts;
  private final Map<String, Manifest.NodePart> nodes;
  private final Set<String> dropping;
  private final Map<TaskOfNode, RestoredNode> handedOut = new HashMap<>();
  private final Set<StateOfNode> taken = new HashSet<>();
  private final Set<FlightOfNode> arrived = new HashSet<>();
  private final RestoreProgress progress;
  private final Scheduler scheduler;
  private final Turns turns = new Turns();

  /**
   * The job that goes on.
   *
   * @param groups number of key groups, which may be another than it had
   * @param renaming what its nodes and states were called before
   * @param dropping names of nodes, of now or of then, whose state may go
   */
  public record Successor(int groups, Renaming renaming, Set<String> dropping) {
    /** A copy. */
    public Successor {
      dropping = Set.copyOf(dropping);
    }
  }

  private record StateOfNode(String node, String state, @Nullable Window slice) {}

  private record FlightOfNode(String node, String from) {}

  private record TaskOfNode(String node, Manifest.GroupRange groups) {}

  private RestoredJob(
      @Nullable CheckpointLog log,
      LogEntry.@Nullable Published checkpoint,
      Successor job,
      @Nullable RenamedParts parts,
      Scheduler scheduler,
      RestoreProgress progress) {
    this.log = log;
    this.scheduler = scheduler;
    this.progress = progress;
    this.groups = job.groups;
    this.groupsBefore = checkpoint == null ? groups : checkpoint.manifest().groups();
    this.checkpoint = checkpoint;
    this.parts = parts;
    this.nodes = parts == null ? Map.of() : parts.byName();
    this.dropping = job.dropping;
  }

  /** Nothing. */
  public static RestoredJob nothing(Scheduler scheduler) {
    return new RestoredJob(
        null,
        null,
        new Successor(1, Renaming.NONE, Set.of()),
        null,
        scheduler,
        new RestoreProgress("nothing", scheduler.clock()));
  }

  /**
   * A checkpoint.
   *
   * @param what is restored, for the log, as {@code checkpoint 17 of job 'shop'}
   * @param job that goes on from it
   * @throws StreamForgeException when it has something under the name of now and under one of
   *     before
   */
  public static RestoredJob of(
      CheckpointLog log,
      LogEntry.Published checkpoint,
      String what,
      Successor job,
      Scheduler scheduler) {
    RenamedParts parts = new RenamedParts(checkpoint.manifest(), job.renaming, job.dropping);
    RestoredJob restored =
        new RestoredJob(
            log, checkpoint, job, parts, scheduler, new RestoreProgress(what, scheduler.clock()));
    if (!parts.problems().isEmpty()) {
      throw restored.incompatible(
          "has two names of what is one now:",
          parts.problems(),
          "Name the node whose state may go in checkpoints.dropping; of two states of one node that"
              + " is the one with the old name. Or, where the old name is of something else, take"
              + " previously(...) away.");
    }
    return restored;
  }

  private StreamForgeException incompatible(String what, List<String> lines, String remedy) {
    String location = log == null ? "" : log.location();
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.position(location),
        "checkpoint "
            + number()
            + " in "
            + location
            + " "
            + what
            + "\n    "
            + String.join("\n    ", lines),
        remedy,
        null);
  }

  /**
   * Runs the steps of a start in which tasks take what they need, each of which fills its tables
   * while others do. Where there is nothing to take, they run in their order.
   *
   * @param threads how many run at a time
   */
  public void inTurns(List<? extends Runnable> steps, int threads) {
    turns.run(steps, scheduler, checkpoint == null ? 1 : threads);
  }

  private PieceChunks chunks(CheckpointLog from, List<Manifest.Piece> pieces) {
    return ReadAhead.chunks(
        from,
        pieces,
        scheduler,
        bytes -> {
          turns.check();
          progress.read(bytes);
        });
  }

  /** A task is about to take what the node has in these key groups. */
  public void expect(String node, Manifest.GroupRange taskGroups, int task, int parallelism) {
    Manifest.NodePart part = nodes.get(node);
    if (part == null) {
      return;
    }
    long bytes = 0;
    for (Manifest.StatePart state : part.states()) {
      bytes += bytes(pieces(state, taskGroups));
    }
    for (Manifest.InFlightPart flight : part.inFlight()) {
      int whole = taskWith(flight.groups(), parallelism);
      bytes += whole < 0 || whole == task ? bytes(List.of(flight.piece())) : 0;
    }
    progress.expect(bytes);
  }

  private static long bytes(List<Manifest.Piece> pieces) {
    return pieces.stream().mapToLong(piece -> piece.segment().length()).sum();
  }

  /**
   * What a task that has these key groups reads of a state, in this order: what is whole first, so
   * that changes meet a table of the size that it is going to have.
   */
  private List<Manifest.Piece> pieces(Manifest.StatePart state, Manifest.GroupRange taskGroups) {
    List<Manifest.Piece> whole = new ArrayList<>();
    List<Manifest.Piece> changes = new ArrayList<>();
    for (Manifest.Chain chain : state.chains()) {
      if (overlap(chain.groups(), taskGroups)) {
        whole.add(chain.pieces().get(0));
        changes.addAll(chain.pieces().subList(1, chain.pieces().size()));
      }
    }
    whole.addAll(changes);
    return whole;
  }

  /**
   * About how many entries of a state a task has that has these key groups, which is as many of a
   * chain as its part of the groups; 0 where that is not known of one of them.
   */
  private long entries(Manifest.StatePart state, Manifest.GroupRange taskGroups) {
    long entries = 0;
    for (Manifest.Chain chain : state.chains()) {
      if (overlap(chain.groups(), taskGroups)) {
        if (chain.entries() == Manifest.Chain.UNKNOWN) {
          return 0;
        }
        entries += (long) Math.ceil(chain.entries() * share(chain.groups(), taskGroups));
      }
    }
    return entries;
  }

  /** How much of a range of then is in one of now, 0 to 1. */
  private double share(Manifest.GroupRange then, Manifest.GroupRange now) {
    double first = (double) then.first() / groupsBefore;
    double end = (double) then.end() / groupsBefore;
    double common =
        Math.min(end, (double) now.end() / groups) - Math.max(first, (double) now.first() / groups);
    return Math.max(0, Math.min(1, common / (end - first)));
  }

  /** All tasks have taken what they need. */
  public void end() {
    if (checkpoint != null) {
      progress.end();
    }
  }

  /** Bytes that have been read of it. */
  public long bytes() {
    return progress.bytes();
  }

  /** How long it took to restore it, in milliseconds. */
  public long millis() {
    return progress.millis();
  }

  /** Whether there is something. */
  public boolean exists() {
    return checkpoint != null;
  }

  /**
   * Position of the checkpoint in the log of the job; 0 when there is none, or it is a savepoint.
   *
   * @param own the log of the job
   */
  public long position(CheckpointLog own) {
    return checkpoint == null || log != own ? 0 : checkpoint.position();
  }

  /** Number of the checkpoint; 0 when there is none. */
  public long number() {
    return checkpoint == null ? 0 : checkpoint.number();
  }

  /** How long the job has run before, in all its attempts. */
  public long jobTimeMillis() {
    return checkpoint == null ? 0 : checkpoint.manifest().jobTimeMillis();
  }

  /** A node's keyed state in a task that has these key groups; the same object at each call. */
  public RestoredStates states(String node, Manifest.GroupRange groups) {
    Manifest.NodePart part = nodes.get(node);
    if (part == null || log == null) {
      return RestoredStates.NONE;
    }
    return handedOut.computeIfAbsent(
        new TaskOfNode(node, groups), task -> new RestoredNode(log, part, groups));
  }

  /** Event time that a node has handled in all of these key groups. */
  public long watermark(String node, Manifest.GroupRange groups) {
    return timesOf(node, groups)
        .mapToLong(Manifest.GroupTime::firedUpToMillis)
        .min()
        .orElse(Timestamps.MIN);
  }

  /** Event times that it has handled in each of them, where these are not the same; else null. */
  public @Nullable GroupTimes times(String node, Manifest.GroupRange range) {
    if (timesOf(node, range).mapToLong(Manifest.GroupTime::firedUpToMillis).distinct().count()
        < 2) {
      return null;
    }
    long[] millis = new long[range.end() - range.first()];
    for (int i = 0; i < millis.length; i++) {
      int group = range.first() + i;
      long[] ofGroup =
          timesOf(node, new Manifest.GroupRange(group, group + 1))
              .mapToLong(Manifest.GroupTime::firedUpToMillis)
              .distinct()
              .toArray();
      if (ofGroup.length > 1) {
        throw inOneGroup(node);
      }
      millis[i] = ofGroup[0];
    }
    return new GroupTimes(range.first(), groups, millis);
  }

  private Stream<Manifest.GroupTime> timesOf(String node, Manifest.GroupRange range) {
    Manifest.NodePart part = nodes.get(node);
    return part == null
        ? Stream.empty()
        : part.times().stream().filter(time -> overlap(time.groups(), range));
  }

  private StreamForgeException inOneGroup(String node) {
    // With one for all of a group, windows of some keys would fire again, or those of others never.
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.node(node),
        "checkpoint "
            + number()
            + " in "
            + (log == null ? "" : log.location())
            + " was taken while the tasks of node '"
            + node
            + "' had come to different event times, as with idle inputs or where it is not aligned:"
            + " it cannot be restored with this number of key groups",
        "Start with "
            + groupsBefore
            + " key groups, or a multiple; to change them otherwise, take a savepoint, which is"
            + " aligned, when all inputs have delivered records.",
        null);
  }

  /** The latest event time that a task of the node had handled. */
  public long latestWatermark(String node) {
    Manifest.NodePart part = nodes.get(node);
    long latest = Timestamps.MIN;
    if (part != null) {
      for (Manifest.GroupTime time : part.times()) {
        latest = Math.max(latest, time.firedUpToMillis());
      }
    }
    return latest;
  }

  /** Whether a range of then and one of now share keys: a group is a range of hashes. */
  private boolean overlap(Manifest.GroupRange then, Manifest.GroupRange now) {
    return (long) then.first() * groups < (long) now.end() * groupsBefore
        && (long) now.first() * groupsBefore < (long) then.end() * groups;
  }

  /**
   * The records that were on their way from an output to a node, and go on in a task of it; those
   * of a key in their order.
   *
   * @param from the output, as a port is written
   * @param task which task
   * @param parallelism how many tasks the node has now
   * @param form how such records are written now; asked for only when there are some
   * @throws StreamForgeException when what was stored cannot be read so, or is damaged
   */
  public List<Overflow.Held> inFlight(
      String from, String node, int task, int parallelism, Supplier<RecordForm> form) {
    List<Overflow.Held> records = new ArrayList<>();
    Manifest.NodePart part = nodes.get(node);
    if (part == null || log == null) {
      return records;
    }
    arrived.add(new FlightOfNode(node, from));
    for (Manifest.InFlightPart flight : part.inFlight()) {
      if (!flight.from().equals(from)) {
        continue;
      }
      // Where keys do not matter any task is right, where they do the one that has the key.
      int whole = taskWith(flight.groups(), parallelism);
      if (whole < 0 || whole == task) {
        for (Overflow.Held record : records(flight, node, form.get())) {
          int group = KeyGroups.of(record.hash(), groups);
          if (whole == task || KeyGroups.taskOf(group, parallelism, groups) == task) {
            records.add(record);
          }
        }
      }
    }
    return records;
  }

  /** The task that has the same keys now as one that had these groups; −1: there is none. */
  private int taskWith(Manifest.GroupRange then, int parallelism) {
    if (groups != groupsBefore) {
      return -1;
    }
    int task = KeyGroups.taskOf(then.first(), parallelism, groups);
    return KeyGroups.firstGroup(task, parallelism, groups) == then.first()
            && KeyGroups.firstGroup(task + 1, parallelism, groups) == then.end()
        ? task
        : -1;
  }

  private List<Overflow.Held> records(Manifest.InFlightPart flight, String node, RecordForm form) {
    List<Overflow.Held> records = new ArrayList<>();
    PieceChunks chunks = chunks(Objects.requireNonNull(log), List.of(flight.piece()));
    byte[] schema = Objects.requireNonNull(chunks.next());
    RecordForm.Reader reader =
        form.reader(
            EntrySchema.read(schema),
            "the records in flight from '" + flight.from() + "' to '" + node + "'",
            ErrorContext.node(node));
    for (byte[] chunk; (chunk = chunks.next()) != null; ) {
      ByteReader input = new ByteReader(chunk);
      while (input.remaining() > 0) {
        records.add(reader.read(input));
      }
    }
    return records;
  }

  /** Splits of a source that are known. */
  public List<Manifest.SplitPart> splits(String source) {
    Manifest.NodePart part = nodes.get(source);
    return part == null ? List.of() : part.splits();
  }

  /** Of each of these sources the splits that have ended. */
  public Map<String, List<Manifest.SplitPart>> finishedSplits(Set<String> sources) {
    Map<String, List<Manifest.SplitPart>> finished = new HashMap<>();
    nodes.forEach(
        (name, part) -> {
          List<Manifest.SplitPart> ended =
              part.splits().stream().filter(Manifest.SplitPart::finished).toList();
          if (sources.contains(name) && !ended.isEmpty()) {
            finished.put(name, ended);
          }
        });
    return finished;
  }

  /** Writers of a sink. */
  public List<WriterState> writers(String sink) {
    Manifest.NodePart part = nodes.get(sink);
    return part == null
        ? List.of()
        : part.writers().stream()
            .map(
                writer ->
                    new WriterState(
                        writer.writer(),
                        writer.marker(),
                        writer.committables().stream().map(SavedCommittable::read).toList()))
            .toList();
  }

  /**
   * Makes sure that all state has found its node, that all splits have found their source, and all
   * output its sink.
   *
   * @param sources names of all sources
   * @param committing names of all sinks whose output is committed
   * @throws StreamForgeException with a line for each that has not
   */
  public void checkAllTaken(Set<String> sources, Set<String> committing) {
    List<String> left = new ArrayList<>();
    for (Manifest.NodePart node : nodes.values()) {
      if (dropping.contains(node.node()) || dropping.contains(then(node.node()))) {
        continue;
      }
      Set<String> states = new HashSet<>();
      for (Manifest.StatePart state : node.states()) {
        if (!taken.contains(new StateOfNode(node.node(), state.state(), state.slice()))
            && states.add(state.state())) {
          left.add("node " + named(node) + ": state '" + state.state() + "'");
        }
      }
      for (Manifest.InFlightPart flight : node.inFlight()) {
        if (arrived.add(new FlightOfNode(node.node(), flight.from()))) {
          left.add("node " + named(node) + ": records on their way from '" + flight.from() + "'");
        }
      }
      if (!node.splits().isEmpty() && !sources.contains(node.node())) {
        left.add("source " + named(node) + ": positions of " + node.splits().size() + " splits");
      }
      boolean output = node.writers().stream().anyMatch(w -> !w.committables().isEmpty());
      if (output && !committing.contains(node.node())) {
        left.add("sink " + named(node) + ": output that waits to be committed");
      }
    }
    if (!left.isEmpty()) {
      throw incompatible(
          "has what the topology has no place for:",
          left,
          "Say what has another name now: previously(node, oldName) of the topology's builder for a"
              + " node, previously(oldName) of the state's declaration for a state. Or, for records"
              + " on their way, change the topology behind a savepoint, which has none; or, to do"
              + " without the state of a node, name the node in checkpoints.dropping; or, to begin"
              + " without any state, name an empty place for the checkpoints.");
    }
  }

  /** What a node is called in the checkpoint. */
  private String then(String node) {
    return parts == null ? node : parts.then(node);
  }

  private String named(Manifest.NodePart part) {
    String then = then(part.node());
    return "'" + part.node() + "'" + (then.equals(part.node()) ? "" : ", there '" + then + "'");
  }

  private final class RestoredNode implements RestoredStates {
    private final CheckpointLog from;
    private final String node;
    private final List<Manifest.StatePart> left = new ArrayList<>();
    private final Manifest.GroupRange groups;

    RestoredNode(CheckpointLog from, Manifest.NodePart part, Manifest.GroupRange groups) {
      this.from = from;
      this.node = part.node();
      this.groups = groups;
      for (Manifest.StatePart state : part.states()) {
        if (state.chains().stream().anyMatch(chain -> overlap(chain.groups(), groups))) {
          left.add(state);
        }
      }
    }

    @Override
    public List<Window> slices(String state) {
      List<Window> slices = new ArrayList<>();
      for (Manifest.StatePart part : left) {
        Window slice = part.slice();
        if (part.state().equals(state) && slice != null) {
          slices.add(slice);
        }
      }
      return slices;
    }

    @Override
    public void fill(Runnable work) {
      turns.apart(work);
    }

    @Override
    public @Nullable StoredState take(String state, @Nullable Window slice) {
      for (Manifest.StatePart part : left) {
        if (part.state().equals(state) && Objects.equals(part.slice(), slice)) {
          left.remove(part);
          taken.add(new StateOfNode(node, state, slice));
          return new StoredState(
              EntrySchema.read(part.schema().bytes()),
              part.form(),
              RestoredJob.this.chunks(from, pieces(part, groups)),
              entries(part, groups));
        }
      }
      return null;
    }
  }
}
