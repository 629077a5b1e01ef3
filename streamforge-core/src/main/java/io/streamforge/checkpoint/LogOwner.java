package io.streamforge.checkpoint;

import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The process that runs a job, as the writer of its log. Not thread-safe.
 *
 * <p>Call order: {@link #begin} once, then for each position {@link #publish} or {@link #abort}.
 * All of them throw {@link io.streamforge.error.ErrorCode#CHECKPOINT_FENCED} as soon as another
 * process has taken the job over; then this one stops, and must not act on anything any more.
 *
 * <p>An {@link IOException} leaves in doubt whether the entry stands. The next call is for the same
 * position and settles it: both return the entry that does stand, which after a failed {@code
 * publish} may be the published one even for {@code abort}.
 */
public final class LogOwner {
  /*
   * Invariant: a process writes at the position behind its last entry only, so as soon as another
   * one has claimed the log, that position is taken. It may be free again when the process has slept
   * for so long that clean-up has passed; therefore an entry is acted on only after the log was
   * listed behind its creation and showed none above it.
   */
  private final CheckpointLog log;
  private final CheckpointStorage storage;
  private final LogEntry.Claim claim;
  private final int retained;
  private final CheckpointHistory history;

  private long last;
  private long nextNumber;
  private boolean begun;

  /** All checkpoints that count, and those that the next one descends from; newest last. */
  private final TreeSet<Long> published = new TreeSet<>();

  private final TreeSet<Long> lineage = new TreeSet<>();
  private LogEntry.@Nullable Published newest;

  private LogOwner(
      CheckpointLog log, LogEntry.Claim claim, int retained, CheckpointHistory history) {
    this.log = log;
    this.storage = log.storage();
    this.claim = claim;
    this.retained = retained;
    this.history = history;
    this.last = claim.position();
    this.nextNumber = Math.max(last, claim.number()) + 1;
  }

  /**
   * The owner whose claim has just been created.
   *
   * @return null when the claim does not count, and has to be made again: since the log was read,
   *     the owner of before has gone past its position, and clean-up has freed it
   * @throws StreamForgeException when another process has claimed the log later
   */
  static @Nullable LogOwner after(CheckpointLog log, LogEntry.Claim claim, int retained)
      throws IOException {
    CheckpointHistory history = log.read();
    if (history.last() == claim.position()) {
      return new LogOwner(log, claim, retained, history);
    }
    List<LogEntry> entries = history.entries();
    LogEntry newest = entries.isEmpty() ? null : entries.get(entries.size() - 1);
    if (newest != null
        && newest.position() == history.last()
        && newest.attempt() < claim.position()) {
      return null;
    }
    throw CheckpointErrors.fenced(
        log.storage(), log.job(), claim.position(), history.last(), newest);
  }

  /** Position of the claim. */
  public long attempt() {
    return claim.position();
  }

  /** What the log said right after the claim. */
  public CheckpointHistory history() {
    return history;
  }

  /**
   * The checkpoint to restore: as {@link CheckpointHistory#usableBelow}, but where something is
   * missing or damaged it is first made sure that it was not another process that has taken the job
   * over and cleaned up since. Whoever finds damage while restoring calls it again with the
   * position of that checkpoint.
   *
   * @param position only checkpoints below it; {@link Long#MAX_VALUE} to begin with
   * @param skipped those that have been found unusable so far, newest first
   */
  public CheckpointHistory.Usable usableBelow(
      long position, List<CheckpointHistory.Skipped> skipped) throws IOException {
    CheckpointHistory.Usable usable;
    try {
      usable = history.usableBelow(position, skipped);
    } catch (StreamForgeException e) {
      check();
      throw e;
    }
    if (!usable.skipped().isEmpty()) {
      check();
    }
    return usable;
  }

  /**
   * Says where the job goes on from.
   *
   * @param parent position of the checkpoint of this log that was restored; 0: none, the job begins
   *     anew or from somewhere else
   * @param above the next number is greater than this: than the savepoint's, and than every marker
   *     that a sink has found
   */
  public void begin(long parent, long above) {
    if (begun) {
      throw new IllegalStateException("the job has begun");
    }
    begun = true;
    nextNumber = Math.max(nextNumber, Math.addExact(above, 1));
    history.published().forEach(checkpoint -> published.add(checkpoint.position()));
    history.lineage(parent).forEach(checkpoint -> lineage.add(checkpoint.position()));
    if (parent != 0 && !lineage.contains(parent)) {
      throw new IllegalArgumentException("no checkpoint at position " + parent);
    }
  }

  /** The number that the next checkpoint has. */
  public long nextNumber() {
    return nextNumber;
  }

  /**
   * A name for an object of a checkpoint of this process, which nobody else ever gives to another
   * one; any thread may ask.
   *
   * @param number of the checkpoint
   * @param rest what tells the objects of one checkpoint apart: letters, digits, hyphens, dots
   */
  public String dataName(long number, String rest) {
    return DataNames.name(attempt(), number, claim.token(), rest);
  }

  /**
   * Publishes the next checkpoint; when this returns it is the one to restore. All objects of the
   * manifest must have been synced.
   *
   * @return the entry that stands at the position, this or that of an earlier try
   */
  public LogEntry publish(Manifest manifest, long nowMillis) throws IOException {
    long parent = lineage.isEmpty() ? 0 : lineage.last();
    LogEntry.Published entry =
        new LogEntry.Published(
            last + 1,
            nextNumber,
            attempt(),
            claim.token(),
            nowMillis,
            parent,
            oldestRetained(),
            manifest);
    return append(entry);
  }

  /** Of both the checkpoints that count and those of the lineage, so many are kept. */
  private long oldestRetained() {
    return Math.min(oldestOf(published), oldestOf(lineage));
  }

  private long oldestOf(TreeSet<Long> positions) {
    // The next one is the newest of all; one more than retained is kept.
    List<Long> descending = new ArrayList<>(positions.descendingSet());
    descending.add(0, last + 1);
    return descending.get(Math.min(retained, descending.size() - 1));
  }

  /**
   * Gives the next checkpoint up.
   *
   * @param reason for people
   * @return the entry that stands at the position: this, or the published one when an earlier try
   *     turns out to have succeeded; then the checkpoint is to be acted on
   */
  public LogEntry abort(String reason, long nowMillis) throws IOException {
    return append(
        new LogEntry.Aborted(last + 1, nextNumber, attempt(), claim.token(), nowMillis, reason));
  }

  private LogEntry append(LogEntry entry) throws IOException {
    if (!begun) {
      throw new IllegalStateException("begin comes first");
    }
    long position = last + 1;
    LogEntry standing = entry;
    if (!storage.createIfAbsent(LogEntryForm.name(position), LogEntryForm.encode(entry))) {
      standing = own(position);
    }
    check(position);
    last = position;
    nextNumber = Math.max(position, standing.number()) + 1;
    if (standing instanceof LogEntry.Published checkpoint) {
      newest = checkpoint;
      published.add(checkpoint.position());
      lineage.add(checkpoint.position());
      published.headSet(checkpoint.oldestRetained()).clear();
      lineage.headSet(checkpoint.oldestRetained()).clear();
    }
    return standing;
  }

  /** The entry at the position, which has to be ours. */
  private LogEntry own(long position) throws IOException {
    // Ours can be read. It may also have been deleted since, by whoever has the job now.
    LogEntry entry = readable(position);
    if (entry == null || !isOwn(entry)) {
      throw fenced(position, entry);
    }
    return entry;
  }

  private boolean isOwn(LogEntry entry) {
    return entry.token() == claim.token() && entry.attempt() == attempt();
  }

  /**
   * Finds out whether this process still has the job.
   *
   * @throws StreamForgeException {@link io.streamforge.error.ErrorCode#CHECKPOINT_FENCED} if not
   */
  public void check() throws IOException {
    check(last);
  }

  private void check(long newestOwn) throws IOException {
    for (long position : CheckpointHistory.positions(storage)) {
      if (position > last && position != newestOwn) {
        LogEntry entry = readable(position);
        // An entry of ours that a failed call has left: the next call settles it.
        if (position != last + 1 || entry == null || !isOwn(entry)) {
          throw fenced(position, entry);
        }
      }
    }
  }

  /** Null when it cannot be read. */
  private @Nullable LogEntry readable(long position) throws IOException {
    try {
      return LogEntryForm.read(storage, position);
    } catch (DamagedObjectException e) {
      return null;
    }
  }

  private StreamForgeException fenced(long position, @Nullable LogEntry entry) {
    return CheckpointErrors.fenced(storage, log.job(), last, position, entry);
  }

  /** The newest checkpoint that this process has published; null when there is none. */
  public LogEntry.@Nullable Published newest() {
    return newest;
  }

  /** Where the log is. */
  CheckpointStorage storage() {
    return storage;
  }

  /**
   * Begins an object with data; any thread may.
   *
   * @param name as {@link #dataName} makes it
   */
  public FrameWriter write(String name) throws IOException {
    ObjectWriter output = storage.write(name);
    try {
      return new FrameWriter(output, name, FrameKind.DATA);
    } catch (Throwable e) {
      output.close();
      throw e;
    }
  }

  /** The log that it owns. */
  public CheckpointLog log() {
    return log;
  }

  /** The place of the log, as a user would write it. */
  public String location() {
    return log.location();
  }

  /** Makes all objects that have been finished survive the death of the machine. */
  public void sync() throws IOException {
    storage.sync();
  }
}
