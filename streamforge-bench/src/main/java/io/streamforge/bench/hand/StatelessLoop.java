package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Chunks;
import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;

/** W1. */
final class StatelessLoop {
  private StatelessLoop() {}

  static void run(int thread, int threads) {
    Chunks chunks = new Chunks(thread, threads);
    long sum = 0;
    long outputs = 0;
    while (chunks.advance()) {
      long to = chunks.to();
      for (long index = chunks.from(); index < to; index += threads) {
        long number = Input.number(index) * 3;
        if (number >= 0) {
          number ^= number >>> 17;
          sum += Mix.of(number);
          sum += Mix.of(number + 1);
          outputs += 2;
        }
      }
    }
    new Outputs().end(sum, outputs);
  }
}
