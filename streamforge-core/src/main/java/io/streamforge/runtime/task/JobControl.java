package io.streamforge.runtime.task;

import io.streamforge.error.StreamForgeException;

/** What a task tells its job, and asks it. Thread-safe. */
public interface JobControl {
  /** Name of the job. */
  String job();

  /** Whether tasks are to stop where they are. */
  boolean stopping();

  /** Something has failed; the job stops. The first failure counts. */
  void failed(StreamForgeException failure);

  /** A task, or the writer behind one, has done all its work. */
  void completed();
}
