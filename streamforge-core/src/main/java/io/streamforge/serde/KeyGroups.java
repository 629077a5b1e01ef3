package io.streamforge.serde;

/**
 * Which key group a hash belongs to, and which task owns a group.
 *
 * <p>The groups of a job, numbered from 0, divide the unsigned hashes into contiguous ranges of
 * almost equal length; a task owns a contiguous range of groups. Both rules are part of the stored
 * format and never change.
 */
public final class KeyGroups {
  private KeyGroups() {}

  /** The group of a hash: ⌊hash · groups / 2⁶⁴⌋ of the unsigned hash. */
  public static int of(long hash, int groups) {
    long high = (hash >>> 32) * groups;
    long low = (hash & 0xFFFF_FFFFL) * groups;
    return (int) ((high + (low >>> 32)) >>> 32);
  }

  /** The smallest unsigned hash of a group: ⌈group · 2⁶⁴ / groups⌉. */
  public static long firstHash(int group, int groups) {
    check(group >= 0 && group < groups, "group", group, groups);
    long shifted = (long) group << 32;
    long rest = (shifted % groups) << 32;
    return ((shifted / groups) << 32) + (rest + groups - 1) / groups;
  }

  /**
   * The first group of a task: ⌈task · groups / parallelism⌉. It is one past the last group of the
   * task before it; that of {@code task == parallelism} is {@code groups}.
   */
  public static int firstGroup(int task, int parallelism, int groups) {
    check(parallelism >= 1 && parallelism <= groups, "parallelism", parallelism, groups);
    check(task >= 0 && task <= parallelism, "task", task, parallelism);
    return (int) (((long) task * groups + parallelism - 1) / parallelism);
  }

  /** The task that owns a group: ⌊group · parallelism / groups⌋. */
  public static int taskOf(int group, int parallelism, int groups) {
    check(parallelism >= 1 && parallelism <= groups, "parallelism", parallelism, groups);
    check(group >= 0 && group < groups, "group", group, groups);
    return (int) ((long) group * parallelism / groups);
  }

  private static void check(boolean holds, String what, int value, int of) {
    if (!holds) {
      throw new IllegalArgumentException(what + " " + value + " is out of range (of " + of + ")");
    }
  }
}
