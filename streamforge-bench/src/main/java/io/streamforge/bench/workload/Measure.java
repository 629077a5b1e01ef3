package io.streamforge.bench.workload;

/** What is measured of a workload. */
public enum Measure {
  /** Records a second at full load. */
  THROUGHPUT
}
