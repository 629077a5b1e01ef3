package io.streamforge.source;

import java.util.List;

/**
 * Finds the splits of a source. One for each run of a job, called on I/O threads, never by two at a
 * time.
 */
public interface SplitEnumerator extends AutoCloseable {
  /** The splits that have appeared since the last call; all that exist at the first. */
  List<Split> discover() throws Exception;

  /** How often to look for new splits, in milliseconds; 0: what the first call found is all. */
  default long discoveryMillis() {
    return 0;
  }

  /**
   * Which task reads a split.
   *
   * @param index how many splits were discovered before this one
   * @return 0 to {@code parallelism} − 1
   */
  default int assign(Split split, int index, int parallelism) {
    return index % parallelism;
  }

  @Override
  default void close() throws Exception {}
}
