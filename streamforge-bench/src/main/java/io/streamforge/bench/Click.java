package io.streamforge.bench;

/** What the keyed workloads read. */
record Click(long user, long amount) {
  /** The click of an index, by one of so many users. */
  static Click of(long index, long users) {
    return new Click(user(index, users), amount(index));
  }

  static long user(long index, long users) {
    return Mix.below(Mix.of(index), users);
  }

  static long amount(long index) {
    return index & 127;
  }
}
