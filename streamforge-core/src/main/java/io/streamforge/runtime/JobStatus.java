package io.streamforge.runtime;

/** Where a job stands. */
public enum JobStatus {
  /** It runs. */
  RUNNING,
  /** It has failed, and is about to be started again from its last checkpoint. */
  RESTARTING,
  /** All input has been processed and all output written. */
  FINISHED,
  /** It was stopped before its input had ended. */
  CANCELLED,
  /** Something has failed. */
  FAILED
}
