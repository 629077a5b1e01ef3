package io.streamforge.bench.workload;

/** What is measured of a workload. */
public enum Measure {
  /** Records a second at full load. */
  THROUGHPUT,
  /** Time from when a record should be sent to when the windows it closes are with the sink. */
  LATENCY,
  /** Heap that a key takes. */
  MEMORY,
  /** How well a slow sink is kept busy, and how much waits for it. */
  BACKPRESSURE,
  /** How fast the state of a checkpoint is read when a job starts from it. */
  RESTORE,
  /** How long a checkpoint keeps a task from its records. */
  STALL,
  /** What a checkpoint writes when a hundredth of the keys has changed. */
  INCREMENT,
  /** Heap that a key takes while checkpoints are taken. */
  CHECKPOINT_MEMORY,
  /** Time from when a process is killed to the first record of the one that goes on. */
  RECOVERY
}
