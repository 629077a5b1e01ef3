package io.streamforge.bench.workload;

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

  /** Runs the workload over the current {@link Feed}; returns when all outputs are in. */
  void run(Workload workload, int parallelism) throws Exception;

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
