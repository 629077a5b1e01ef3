package io.streamforge.operator;

import io.streamforge.serde.KeyGroups;
import java.util.Arrays;

/**
 * Event times up to which the key groups of a task had fired all that was due in an earlier start
 * of the job, where these are not the same for all. The task begins at the earliest; until it has
 * caught up with the latest, it must not do for a key again what has been done, and a record is
 * late that was. Immutable.
 */
public final class GroupTimes {
  private final int first;
  private final int groups;
  private final long[] millis;
  private final long latest;

  /**
   * Of the groups from {@code first} on.
   *
   * @param groups of the job
   * @param millis of each group of the task; one at least
   */
  public GroupTimes(int first, int groups, long[] millis) {
    this.first = first;
    this.groups = groups;
    this.millis = millis.clone();
    this.latest = Arrays.stream(millis).max().orElseThrow();
  }

  /** That of the group of a key with this hash, which is one of the task's. */
  public long of(long hash) {
    return millis[KeyGroups.of(hash, groups) - first];
  }

  /** That of a group. */
  public long ofGroup(int group) {
    return millis[group - first];
  }

  /** The last of all. */
  public long latest() {
    return latest;
  }
}
