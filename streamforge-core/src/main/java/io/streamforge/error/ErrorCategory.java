package io.streamforge.error;

/** Who can mend an error. */
public enum ErrorCategory {
  /** The topology, its functions or its configuration: the developer of the job. */
  USER,
  /** Data or a system outside the job: whoever provides it. */
  EXTERNAL,
  /** Memory, disk, threads or another limit of the machine: whoever operates it. */
  RESOURCE,
  /** A defect of the engine itself: please report it. */
  INTERNAL
}
