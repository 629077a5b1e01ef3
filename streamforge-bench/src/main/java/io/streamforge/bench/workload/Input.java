package io.streamforge.bench.workload;

import java.nio.charset.StandardCharsets;

/** What a workload reads, made of the index of a record and nothing else. */
public record Input(Users users, long userCount, Times times) {
  private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  /** In order. */
  static Input of(Users users, long userCount) {
    return new Input(users, userCount, new Times(0));
  }

  /** The user of an index. */
  public long user(long index) {
    return users.of(index);
  }

  /** A user's name, a new string for each record, as if it had been read. */
  public static String name(long user) {
    String digits = Long.toString(user);
    return "user-" + "0".repeat(10 - digits.length()) + digits;
  }

  /** A text of a user, of hexadecimal digits: a new string each time, as if it had been read. */
  public static String text(long user, int length) {
    byte[] digits = new byte[length];
    long bits = 0;
    for (int i = 0; i < length; i++) {
      bits = i % 16 == 0 ? Mix.of(user, i) : bits >>> 4;
      digits[i] = DIGITS[(int) bits & 15];
    }
    return new String(digits, StandardCharsets.US_ASCII);
  }

  /**
   * The latest text of a user, whose first character goes on from the one before: the outputs of a
   * user are the same in whichever order its records come, and show whether state was lost.
   */
  public static String latest(String before, String text) {
    return (char) ('a' + (before.charAt(0) + 1) % 26) + text.substring(1);
  }

  /** What the user has paid, say. */
  public static long amount(long index) {
    return index & 127;
  }

  /** Epoch milliseconds of its event time. */
  public long timestamp(long index) {
    return times.of(index);
  }

  /** The number that stateless workloads read. */
  public static long number(long index) {
    return Mix.of(index);
  }
}
