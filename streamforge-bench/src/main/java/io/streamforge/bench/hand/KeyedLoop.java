package io.streamforge.bench.hand;

/** What is computed of the records of the users that a thread has. */
interface KeyedLoop {
  /** Takes the records of a batch. */
  void take(Batch batch);

  /** All threads have read so far. */
  default void passed(long latestMillis) {}

  /** There are no more records. */
  void end();
}
