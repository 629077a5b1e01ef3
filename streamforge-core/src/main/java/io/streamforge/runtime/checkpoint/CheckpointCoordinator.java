package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.CheckpointCleaner;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.Alignment;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.CheckpointPart;
import io.streamforge.runtime.task.Deadlines;
import io.streamforge.runtime.task.JobControl;
import io.streamforge.runtime.task.JobTime;
import io.streamforge.runtime.task.Mailbox;
import io.streamforge.runtime.task.PartProgress;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.TaskPart;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.Waker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Begins checkpoints, gathers what tasks and writers report of them, and publishes or abandons
 * them. When all parts have ended it takes one last checkpoint, after which the job is done.
 */
// Invariants:
// - One checkpoint is in hand at a time. The verdict on it goes to all parts before the next one
//   begins, so every part hears it before it meets that one's barrier.
// - Parts hear "published" only after the log was seen to end with the entry: whoever commits on it
//   commits what every later owner of the job restores or goes behind.
// - The log is written by one I/O work at a time; a write in doubt is settled before anything else.
public final class CheckpointCoordinator implements Task, CheckpointControl {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointCoordinator.class);

  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MAX_RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** How often the last checkpoint is tried before the job fails. */
  private static final int LAST_TRIES = 3;

  /** Objects that are deleted before the log is looked at again. */
  private static final int CLEAN_AT_A_TIME = 100;

  private enum Phase {
    /** None is in hand. */
    RESTING,
    /** Parts are to report. */
    GATHERING,
    /** The log is being written. */
    SETTLING,
    /** The log could not be written, and what it says is in doubt. */
    DOUBTFUL,
    /** The last one has been published. */
    COMPLETE
  }

  private final CheckpointConfig settings;
  private final LogOwner owner;
  private final ManifestBook book;
  private final RestoredJob restored;
  private final JobControl control;
  private final Scheduler scheduler;
  private final JobTime jobTime;
  private final Mailbox mailbox = new Mailbox();
  private final SerialWork log;
  private final Map<String, CheckpointPart> parts = new LinkedHashMap<>();
  private final Map<String, String> nodeOfWriter = new LinkedHashMap<>();
  private final Set<String> ended = new LinkedHashSet<>();

  private Phase phase = Phase.RESTING;
  private long number;
  private boolean requested;

  /** Null when none is being taken. While there is one nothing is cleaned up. */
  private volatile @Nullable Savepoint savepoint;

  private boolean last;
  private int lastTries;
  private long begunNanos;

  /** When the checkpoint in hand overtakes what it has not reached; MAX_VALUE: never. */
  private long overtakingNanos = Long.MAX_VALUE;

  /** When it has done so; MIN_VALUE: it has not. */
  private long overtakenNanos = Long.MIN_VALUE;

  private long nextNanos;
  private long retryNanos = RETRY_NANOS;

  /** What came before the log could not be written. */
  private String doubt = "";

  private final Set<String> missing = new TreeSet<>();
  private final List<TaskPart> taskParts = new ArrayList<>();
  private final List<TaskPart.SavedWriter> writers = new ArrayList<>();
  private ManifestBook.@Nullable Built built;

  /** What the I/O thread is to do next; null: to clean up. */
  private volatile @Nullable LogWork pending;

  private final CheckpointCleaner cleaner;
  private final CheckpointCounts counts;

  private interface LogWork {
    LogEntry write(long nowMillis) throws IOException;
  }

  /**
   * Of a job that has not begun to run.
   *
   * @param owner has begun
   * @param restored what the job goes on from
   * @param sources names of its sources
   */
  public CheckpointCoordinator(
      CheckpointConfig settings,
      LogOwner owner,
      RestoredJob restored,
      Set<String> sources,
      int groups,
      JobTime jobTime,
      JobControl control,
      Scheduler scheduler) {
    this.settings = settings;
    this.owner = owner;
    this.restored = restored;
    this.book = new ManifestBook(groups, restored.finishedSplits(sources));
    this.control = control;
    this.scheduler = scheduler;
    this.jobTime = jobTime;
    this.nextNanos = scheduler.clock().monotonicNanos() + settings.interval().toNanos();
    this.log = new SerialWork(scheduler, "checkpoint log", this::writeLog);
    this.cleaner = new CheckpointCleaner(owner, scheduler.clock());
    this.counts = new CheckpointCounts(restored.number());
  }

  /** Before the first step: a task. */
  public void add(CheckpointPart task) {
    parts.put(task.id(), task);
  }

  /** Before the first step: the writer of a sink. */
  public void addWriter(CheckpointPart writer, String node) {
    add(writer);
    nodeOfWriter.put(writer.id(), node);
  }

  /** Who is woken when there is something to do. */
  public void connect(Waker self) {
    mailbox.connect(self);
  }

  /** The owner is ready to publish: sinks have recovered. */
  public void begin() {
    counts.restored(restored);
    number = owner.nextNumber();
  }

  /** What has become of the checkpoints so far; any thread may ask. */
  public CheckpointMetrics metrics() {
    return counts.metrics();
  }

  /**
   * Any thread: takes a checkpoint and, when its output has been committed, copies it to a place of
   * its own.
   *
   * @param stop whether the sources read nothing behind it
   * @param result is told the number, when the copy is complete; or what has failed
   */
  public void savepoint(CheckpointPlace target, boolean stop, CompletableFuture<Long> result) {
    mailbox.send(
        () -> {
          if (savepoint != null) {
            result.completeExceptionally(
                new StreamForgeException(
                    ErrorCode.CONFIG_INVALID,
                    ErrorContext.position(target.log().location()),
                    "another savepoint of the job is being taken",
                    "Wait until it is complete.",
                    null));
            return;
          }
          savepoint = new Savepoint(target, stop, result);
          requested = true;
          if (stop || pausesForSavepoints()) {
            holdSources(true);
          }
        });
  }

  /** Where inputs are not held, nothing is to come behind the barriers of a savepoint. */
  private boolean pausesForSavepoints() {
    return settings.alignment() instanceof Alignment.AtLeastOnce;
  }

  private void holdSources(boolean held) {
    parts.values().forEach(part -> part.hold(held));
  }

  /** A savepoint on its way. */
  private static final class Savepoint {
    final CheckpointPlace target;
    final boolean stop;
    final CompletableFuture<Long> result;

    /** Of the checkpoint that is copied; 0: it has not begun. */
    long number;

    int tries;
    LogEntry.@Nullable Published published;

    /** Writers that have not committed it yet. */
    final Set<String> committing = new LinkedHashSet<>();

    Savepoint(CheckpointPlace target, boolean stop, CompletableFuture<Long> result) {
      this.target = target;
      this.stop = stop;
      this.result = result;
    }
  }

  @Override
  public void committed(long checkpoint, String writer) {
    mailbox.send(
        () -> {
          Savepoint current = savepoint;
          if (current != null
              && current.published != null
              && checkpoint >= current.number
              && current.committing.remove(writer)) {
            copyWhenCommitted(current);
          }
        });
  }

  private void copyWhenCommitted(Savepoint current) {
    LogEntry.Published published = current.published;
    if (published == null || !current.committing.isEmpty()) {
      return;
    }
    scheduler.io(
        "savepoint",
        () -> {
          try {
            new SavepointCopy(owner.log(), published, current.target)
                .run(scheduler.clock().wallMillis());
            mailbox.send(() -> ended(current, null));
          } catch (IOException e) {
            mailbox.send(
                () ->
                    ended(
                        current,
                        new StreamForgeException(
                            ErrorCode.STORAGE_UNAVAILABLE,
                            ErrorContext.position(current.target.log().location()),
                            "the savepoint in "
                                + current.target.log().location()
                                + " cannot be written: "
                                + Rendering.cause(e),
                            ErrorCode.STORAGE_UNAVAILABLE.remedy(),
                            e)));
          } catch (Throwable e) {
            mailbox.send(() -> ended(current, e));
          }
        });
  }

  private void ended(Savepoint current, @Nullable Throwable failure) {
    savepoint = null;
    if (failure == null) {
      LOG.info(
          "savepoint {} of job '{}' is complete in {}",
          current.number,
          control.job(),
          current.target.log().location());
      current.result.complete(current.number);
    } else {
      holdSources(false);
      current.result.completeExceptionally(failure);
    }
  }

  /** The checkpoint of a savepoint has been published, or given up. */
  private void settledForSavepoint(long settledNumber, LogEntry entry) {
    Savepoint current = savepoint;
    if (current == null || current.number != settledNumber || current.published != null) {
      return;
    }
    if (entry instanceof LogEntry.Published published) {
      current.published = published;
      if (!current.stop) {
        holdSources(false);
      }
      for (TaskPart.SavedWriter writer : writers) {
        current.committing.add(writer.id());
      }
      copyWhenCommitted(current);
    } else if (++current.tries < LAST_TRIES) {
      current.number = 0;
      requested = true;
    } else {
      ended(
          current,
          new StreamForgeException(
              ErrorCode.STORAGE_UNAVAILABLE,
              ErrorContext.position(owner.location()),
              "no savepoint was taken, since no checkpoint came about: " + doubt,
              ErrorCode.STORAGE_UNAVAILABLE.remedy(),
              null));
    }
  }

  /** Any thread: a checkpoint is wanted now, or as soon as the one in hand is settled. */
  public void request() {
    mailbox.send(() -> requested = true);
  }

  @Override
  public void taken(TaskPart part) {
    mailbox.send(
        () -> {
          if (reported(part.checkpoint(), part.task())) {
            taskParts.add(part);
            writers.addAll(part.writers());
          }
        });
  }

  @Override
  public void written(long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
    mailbox.send(
        () -> {
          if (reported(checkpoint, writer) && prepared != null) {
            writers.add(
                new TaskPart.SavedWriter(
                    writer, nodeOfWriter.getOrDefault(writer, writer), prepared));
          }
        });
  }

  private boolean reported(long checkpoint, String part) {
    return phase == Phase.GATHERING && checkpoint == number && missing.remove(part);
  }

  @Override
  public void declined(long checkpoint, String part, Throwable cause) {
    mailbox.send(
        () -> {
          if (phase == Phase.GATHERING && checkpoint == number) {
            abandon("the state of " + part + " cannot be written: " + Rendering.cause(cause));
          }
        });
  }

  @Override
  public void ended(String part) {
    mailbox.send(
        () -> {
          ended.add(part);
          if (phase == Phase.GATHERING && missing.contains(part)) {
            trigger(part);
          }
        });
  }

  private void trigger(String id) {
    CheckpointPart part = parts.get(id);
    if (part != null) {
      part.trigger(number);
    }
  }

  @Override
  public Progress run() {
    boolean worked = mailbox.drain();
    if (control.stopping() || phase == Phase.COMPLETE) {
      return Progress.DONE;
    }
    long now = scheduler.clock().monotonicNanos();
    switch (phase) {
      case RESTING -> {
        if (now - nextNanos >= 0 || requested || (allEnded() && lastTries == 0)) {
          take(now);
          worked = true;
        }
      }
      case GATHERING -> {
        if (missing.isEmpty()) {
          publish();
          worked = true;
        } else if (now - begunNanos >= settings.timeout().toNanos()) {
          abandon(
              "it was not complete within "
                  + Rendering.duration(settings.timeout().toNanos())
                  + ": "
                  + cause(progress(number)).missing(missing));
          worked = true;
        } else if (overtakingNanos != Long.MAX_VALUE && now - overtakingNanos >= 0) {
          overtake();
          worked = true;
        }
      }
      case DOUBTFUL -> {
        if (now - nextNanos >= 0) {
          abandon(doubt);
          worked = true;
        }
      }
      case SETTLING, COMPLETE -> {}
    }
    return worked ? Progress.WORKED : Progress.IDLE;
  }

  @Override
  public long deadlineNanos() {
    return switch (phase) {
      case RESTING, DOUBTFUL -> nextNanos;
      case GATHERING ->
          Deadlines.earlier(begunNanos + settings.timeout().toNanos(), overtakingNanos);
      case SETTLING, COMPLETE -> Long.MAX_VALUE;
    };
  }

  private boolean allEnded() {
    return ended.size() == parts.size();
  }

  /** How far each part has come with a checkpoint, by id. */
  private Map<String, PartProgress> progress(long checkpoint) {
    Map<String, PartProgress> progress = new LinkedHashMap<>();
    parts.forEach((id, part) -> progress.put(id, part.progress(checkpoint)));
    return progress;
  }

  private CheckpointCause cause(Map<String, PartProgress> progress) {
    return new CheckpointCause(owner.location(), begunNanos, overtakenNanos, progress);
  }

  private void take(long now) {
    phase = Phase.GATHERING;
    requested = false;
    begunNanos = now;
    overtakenNanos = Long.MIN_VALUE;
    last = allEnded();
    Savepoint current = savepoint;
    if (current != null && current.number == 0) {
      current.number = number;
    }
    taskParts.clear();
    writers.clear();
    missing.addAll(parts.keySet());
    for (CheckpointPart part : parts.values()) {
      if (part.isSource() || ended.contains(part.id())) {
        part.trigger(number);
      }
    }
    boolean forSavepoint = current != null && current.number == number;
    overtakingNanos =
        settings.alignment() instanceof Alignment.UnalignedAfter unaligned && !forSavepoint
            ? now + unaligned.delay().toNanos()
            : Long.MAX_VALUE;
  }

  private void overtake() {
    overtakingNanos = Long.MAX_VALUE;
    overtakenNanos = scheduler.clock().monotonicNanos();
    parts.values().forEach(part -> part.overtake(number));
  }

  private void publish() {
    ManifestBook.Built complete = book.build(taskParts, writers, jobTime.millis());
    built = complete;
    doubt = "it could not be published";
    settle(
        nowMillis -> {
          owner.sync();
          return owner.publish(complete.manifest(), nowMillis);
        });
  }

  private void abandon(String reason) {
    if (phase != Phase.DOUBTFUL) {
      LOG.warn("checkpoint {} of job '{}' is given up: {}", number, control.job(), reason);
    }
    doubt = reason;
    settle(nowMillis -> owner.abort(reason, nowMillis));
  }

  private void settle(LogWork work) {
    phase = Phase.SETTLING;
    missing.clear();
    pending = work;
    log.wake();
  }

  private void writeLog() {
    LogWork work = pending;
    if (control.stopping()) {
      return;
    }
    try {
      if (work == null) {
        clean();
        return;
      }
      pending = null;
      LogEntry entry = work.write(scheduler.clock().wallMillis());
      long next = owner.nextNumber();
      if (last) {
        // Nobody comes back to it when the job has ended.
        clean();
      }
      mailbox.send(() -> settled(entry, next));
    } catch (IOException e) {
      mailbox.send(() -> unsettled(e));
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void fail(Throwable e) {
    control.failed(
        e instanceof StreamForgeException known
            ? known
            : new StreamForgeException(
                ErrorCode.INTERNAL,
                ErrorContext.NONE,
                "checkpoint " + number + " failed: " + Rendering.cause(e),
                e));
  }

  private void unsettled(IOException e) {
    LOG.warn(
        "the log of the checkpoints of job '{}' in {} cannot be written, and is tried again: {}",
        control.job(),
        owner.location(),
        Rendering.cause(e));
    phase = Phase.DOUBTFUL;
    nextNanos = scheduler.clock().monotonicNanos() + retryNanos;
    retryNanos = Math.min(MAX_RETRY_NANOS, 2 * retryNanos);
    long waitedNanos = scheduler.clock().monotonicNanos() - begunNanos;
    if (last && waitedNanos >= settings.timeout().toNanos()) {
      giveUp("what its log says cannot be found out: " + Rendering.cause(e));
    }
  }

  private void settled(LogEntry entry, long nextNumber) {
    long now = scheduler.clock().monotonicNanos();
    long settledNumber = number;
    retryNanos = RETRY_NANOS;
    number = nextNumber;
    nextNanos =
        Math.max(begunNanos + settings.interval().toNanos(), now + settings.minPause().toNanos());
    boolean published = entry instanceof LogEntry.Published;
    phase = published && last ? Phase.COMPLETE : Phase.RESTING;
    ManifestBook.Built complete = built;
    built = null;
    settledForSavepoint(settledNumber, entry);
    if (published && complete != null) {
      book.published(complete);
      report(settledNumber, now, complete);
      parts.values().forEach(part -> part.published(settledNumber, last));
      if (!last) {
        log.wake();
      }
    } else {
      counts.abandoned(doubt);
      parts.values().forEach(part -> part.abandoned(settledNumber));
      if (last) {
        nextNanos = now + RETRY_NANOS;
        if (++lastTries >= LAST_TRIES) {
          giveUp(doubt);
        }
      }
    }
  }

  private void report(long published, long now, ManifestBook.Built complete) {
    long durationNanos = now - begunNanos;
    Map<String, PartProgress> progress = progress(published);
    String cause = cause(progress).longest(now);
    counts.published(published, durationNanos, complete, progress.values(), cause);
    boolean slow = durationNanos >= settings.slow().toNanos();
    LOG.atLevel(slow ? Level.WARN : Level.DEBUG)
        .log(
            "checkpoint {} of job '{}' took {}: {}",
            published,
            control.job(),
            Rendering.duration(durationNanos),
            cause);
  }

  private void giveUp(String reason) {
    control.failed(
        new StreamForgeException(
            ErrorCode.STORAGE_UNAVAILABLE,
            ErrorContext.position(owner.location()),
            "all input has been processed, but the last checkpoint did not come about: " + reason,
            "Mend what the reason names and start the job again: it goes on from the checkpoint"
                + " before this one, and no output is lost.",
            null));
  }

  private void clean() throws IOException {
    try {
      while (pending == null
          && savepoint == null
          && !control.stopping()
          && cleaner.clean(CLEAN_AT_A_TIME).more()) {
        LOG.debug("more to clean up in {}", owner.location());
      }
    } catch (IOException e) {
      LOG.warn(
          "what old checkpoints of job '{}' leave in {} cannot be deleted, and is tried again after"
              + " the next one: {}",
          control.job(),
          owner.location(),
          Rendering.cause(e));
    }
    if (pending != null) {
      log.wake();
    }
  }
}
