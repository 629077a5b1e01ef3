package io.streamforge.bench.workload;

import java.nio.file.Path;
import java.util.List;

/** An engine that can run workloads; has a constructor without arguments. */
@FunctionalInterface
public interface Job {
  /**
   * A start from a checkpoint.
   *
   * @param bytes of state that were read
   * @param seconds from when its first byte was asked for until all state was in place
   */
  record Start(long bytes, double seconds) {}

  /**
   * How a job takes checkpoints.
   *
   * @param directory of this job alone, for checkpoints and what else it keeps on disk
   * @param intervalMillis from the beginning of one to that of the next at least
   * @param pauseMillis from the end of one to the beginning of the next at least
   */
  record Checkpoints(Path directory, long intervalMillis, long pauseMillis) {
    /** One a second. */
    public static Checkpoints everySecond(Path directory) {
      return new Checkpoints(directory, 1_000, 0);
    }

    /** Where the checkpoints are. */
    public Path location() {
      return directory.resolve("checkpoints");
    }

    /** Where state is that is not in memory. */
    public Path state() {
      return directory.resolve("state");
    }
  }

  /**
   * The checkpoint that was published last.
   *
   * @param number of it; 0: there is none yet
   * @param seconds that it took
   * @param bytes of state that were written for it
   * @param fullBytes of state that it consists of, with those of earlier ones that it builds on
   */
  record Checkpoint(long number, double seconds, long bytes, long fullBytes) {}

  /** Runs the workload over the current {@link Feed}; returns when all outputs are in. */
  void run(Workload workload, int parallelism) throws Exception;

  /**
   * The same with checkpoints, going on from the newest one in their directory, if there is one.
   */
  default void run(Workload workload, int parallelism, Checkpoints checkpoints) throws Exception {
    throw new UnsupportedOperationException("takes no checkpoints");
  }

  /** The last checkpoint of the running job. */
  default Checkpoint checkpoint() {
    throw new UnsupportedOperationException("tells nothing of its checkpoints");
  }

  /** Number of the last checkpoint in the directory of the running job; 0: there is none yet. */
  default long lastCheckpoint() throws Exception {
    return checkpoint().number();
  }

  /** Bytes of state that the running job has gone on from. */
  default long restoredBytes() {
    throw new UnsupportedOperationException("takes no checkpoints");
  }

  /** Records that the source of the running job has emitted, by the engine's own count. */
  default long emitted() {
    throw new UnsupportedOperationException("does not count what it emits");
  }

  /** How long a record should wait in a channel at most, in seconds. */
  default double targetDelaySeconds() {
    throw new UnsupportedOperationException("has no target delay");
  }

  /**
   * Runs the workload over all its keys once, with a checkpoint at the end, and starts it so many
   * times from that.
   */
  default List<Start> startAgain(Workload workload, int parallelism, int starts) throws Exception {
    throw new UnsupportedOperationException("takes no checkpoints");
  }

  /** Through how many channels a record goes on its way from source to sink. */
  default int channels() {
    throw new UnsupportedOperationException("has no channels");
  }
}
