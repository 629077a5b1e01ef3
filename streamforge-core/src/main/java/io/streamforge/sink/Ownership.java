package io.streamforge.sink;

/** Whether this process still runs the job, or another one has taken it over. Thread-safe. */
@FunctionalInterface
public interface Ownership {
  /**
   * Returns when it still does. The answer may be out of date at once; what it is good for: whoever
   * takes over later finds what was done before the question.
   *
   * @throws Exception when another process has the job, or when that cannot be found out
   */
  void check() throws Exception;
}
