package io.streamforge.source;

import java.util.List;

/**
 * Finds the splits of a source. One for each run of a job, called on I/O threads, never by two at a
 * time.
 */
public interface SplitEnumerator extends AutoCloseable {
  /**
   * The job goes on from a checkpoint: called once, before the first {@link #discover}, otherwise
   * not at all. These splits are read on from where they were, without being discovered again, and
   * a split that is discovered under the id of one of them is passed over. Where there is more to
   * it, as with splits that depend on a setting or on the parallelism, what is discovered must not
   * have records of these, or they come twice.
   *
   * @param known all splits that were ever discovered, those that have ended as well, with the
   *     positions up to which they have been read
   * @throws io.streamforge.error.StreamForgeException when they are not of this source
   */
  default void restore(List<Split> known) throws Exception {}

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
