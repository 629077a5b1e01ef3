package io.streamforge.bench.workload;

/** An engine that can run workloads; has a constructor without arguments. */
@FunctionalInterface
public interface Job {
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

  /** Through how many channels a record goes on its way from source to sink. */
  default int channels() {
    throw new UnsupportedOperationException("has no channels");
  }
}
