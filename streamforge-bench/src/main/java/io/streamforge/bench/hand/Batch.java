package io.streamforge.bench.hand;

/** Records on their way from one thread to another. */
final class Batch {
  /** Records of a batch at most. */
  static final int CAPACITY = 512;

  final long[] users = new long[CAPACITY];
  final long[] millis = new long[CAPACITY];
  final long[] amounts = new long[CAPACITY];
  int size;

  /** The latest event time that the sender has read. */
  long latestMillis;

  /** Whether it is the sender's last. */
  boolean last;

  void add(long user, long timestamp, long amount) {
    int at = size++;
    users[at] = user;
    millis[at] = timestamp;
    amounts[at] = amount;
  }
}
