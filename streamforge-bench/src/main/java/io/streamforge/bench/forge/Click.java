package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Input;

/** What the keyed workloads read. */
record Click(long user, long amount) {
  static Click of(Input input, long index) {
    return new Click(input.user(index), Input.amount(index));
  }
}
