package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Renaming;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.time.Clock;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a job over and finds what it goes on from: the newest checkpoint all of whose state can be
 * read.
 */
public final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  /** How often a claim is tried whose outcome is in doubt. */
  private static final int CLAIM_TRIES = 3;

  private final CheckpointPlace place;
  private final CheckpointConfig settings;
  private final Scheduler scheduler;
  private final Clock clock;

  /** Builds a job with all its state. */
  @FunctionalInterface
  public interface Assembly<J> {
    /**
     * Reads all state into a new job and changes nothing outside.
     *
     * @throws StreamForgeException {@link ErrorCode#CHECKPOINT_DAMAGED} when what was stored is
     *     damaged; then it is called again with an older checkpoint
     */
    J build(LogOwner owner, RestoredJob restored);
  }

  /** For a job with its checkpoints in this place. */
  public Recovery(CheckpointPlace place, CheckpointConfig settings, Scheduler scheduler) {
    this.place = place;
    this.settings = settings;
    this.scheduler = scheduler;
    this.clock = scheduler.clock();
  }

  /**
   * Takes the job over and builds it from the newest checkpoint that can be used.
   *
   * @param groups number of key groups of the job
   * @param renaming what its nodes and states were called before
   * @throws StreamForgeException when the place cannot be read or written, when another process
   *     takes the job over meanwhile, when there are checkpoints but none can be used, or when the
   *     job does not fit the one that can
   */
  public <J> J run(int groups, Renaming renaming, Assembly<J> assembly) {
    try {
      RestoredJob.Successor job = new RestoredJob.Successor(groups, renaming, settings.dropping());
      LogOwner owner = claim();
      long below = Long.MAX_VALUE;
      List<CheckpointHistory.Skipped> skipped = List.of();
      while (true) {
        CheckpointHistory.Usable usable = owner.usableBelow(below, skipped);
        RestoredJob restored = restored(owner, usable, job);
        try {
          return assembly.build(owner, restored);
        } catch (StreamForgeException e) {
          if (e.code() != ErrorCode.CHECKPOINT_DAMAGED || usable.checkpoint() == null) {
            throw e;
          }
          below = usable.checkpoint().position();
          skipped = new ArrayList<>(usable.skipped());
          skipped.add(new CheckpointHistory.Skipped(below, e.summary()));
        }
      }
    } catch (IOException e) {
      throw unavailable("the checkpoints of the job cannot be read or written", e);
    }
  }

  private LogOwner claim() throws IOException {
    for (int i = 1; ; i++) {
      try {
        return place
            .log()
            .claim(
                place.tokens().getAsLong(), place.owner(), settings.retained(), clock.wallMillis());
      } catch (IOException e) {
        if (i >= CLAIM_TRIES) {
          throw e;
        }
        LOG.warn("the checkpoints in {} are claimed again: {}", settings.location(), e.toString());
      }
    }
  }

  private RestoredJob restored(
      LogOwner owner, CheckpointHistory.Usable usable, RestoredJob.Successor job)
      throws IOException {
    for (CheckpointHistory.Skipped skipped : usable.skipped()) {
      LOG.warn(
          "checkpoint at entry {} in {} cannot be used: {}",
          skipped.position(),
          owner.location(),
          skipped.reason());
    }
    LogEntry.Published checkpoint = usable.checkpoint();
    CheckpointLog from = place.from();
    if (checkpoint == null && from != null) {
      LogEntry.Published savepoint = from.read().usable().checkpoint();
      if (savepoint == null) {
        throw new StreamForgeException(
            ErrorCode.CHECKPOINT_INCOMPATIBLE,
            ErrorContext.position(from.location()),
            "there is no complete savepoint in " + from.location(),
            "Name the place of one that was taken to its end, or begin without any.",
            null);
      }
      LOG.info(
          "job '{}' begins with savepoint {} in {}, since there is no checkpoint in {}: {}",
          place.log().job(),
          savepoint.number(),
          from.location(),
          owner.location(),
          described(savepoint));
      return RestoredJob.of(from, savepoint, what("savepoint", savepoint), job, scheduler);
    }
    if (checkpoint == null) {
      LOG.info(
          "job '{}' begins without state: there is no checkpoint in {}",
          place.log().job(),
          owner.location());
      return RestoredJob.nothing(scheduler);
    }
    LOG.info(
        "job '{}' goes on from checkpoint {} in {}, the newest{}: {}",
        place.log().job(),
        checkpoint.number(),
        owner.location(),
        usable.skipped().isEmpty()
            ? ""
            : " that can be used (passed over: " + usable.skipped().size() + ")",
        described(checkpoint));
    return RestoredJob.of(owner.log(), checkpoint, what("checkpoint", checkpoint), job, scheduler);
  }

  private String what(String kind, LogEntry.Published checkpoint) {
    return kind + " " + checkpoint.number() + " of job '" + place.log().job() + "'";
  }

  private String described(LogEntry.Published checkpoint) {
    long agoMillis = Math.max(0, clock.wallMillis() - checkpoint.createdMillis());
    long entries = checkpoint.manifest().entries();
    return "written at "
        + Instant.ofEpochMilli(checkpoint.createdMillis())
        + ", "
        + Rendering.duration(TimeUnit.MILLISECONDS.toNanos(agoMillis))
        + " ago, "
        + Rendering.size(checkpoint.manifest().bytes())
        + (entries == 0 ? "" : String.format(Locale.ROOT, " with %,d entries", entries));
  }

  private StreamForgeException unavailable(String what, IOException cause) {
    return new StreamForgeException(
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorContext.position(settings.location()),
        what + " in " + settings.location() + ": " + cause,
        ErrorCode.STORAGE_UNAVAILABLE.remedy(),
        cause);
  }
}
