package io.streamforge.bench.workload;

/** An engine that can run workloads; has a constructor without arguments. */
@FunctionalInterface
public interface Job {
  /** Runs the workload over the current {@link Feed}; returns when all outputs are in. */
  void run(Workload workload, int parallelism) throws Exception;
}
