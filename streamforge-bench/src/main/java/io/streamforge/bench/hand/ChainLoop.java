package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Chunks;
import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;

/** Chains of maps and filters in turn. */
final class ChainLoop {
  private ChainLoop() {}

  static void run(int length, int thread, int threads) {
    Chunks chunks = new Chunks(thread, threads);
    long sum = 0;
    long outputs = 0;
    while (chunks.advance()) {
      long to = chunks.to();
      for (long index = chunks.from(); index < to; index += threads) {
        long number = Input.number(index);
        boolean passed = true;
        for (int i = 0; i < length && passed; i += 2) {
          number = number * 3 + i;
          passed = number != i;
        }
        if (passed) {
          sum += Mix.of(number);
          outputs++;
        }
      }
    }
    new Outputs().end(sum, outputs);
  }
}
