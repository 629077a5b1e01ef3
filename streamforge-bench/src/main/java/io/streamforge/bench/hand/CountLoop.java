package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;

/** W2. */
final class CountLoop {
  private CountLoop() {}

  static void run(Input input, boolean byName, OwnKeys own) {
    long[] counts = new long[(int) input.userCount()];
    long[] indexes = own.indexes();
    long sum = 0;
    long outputs = 0;
    for (int found; (found = own.find()) >= 0; outputs += found) {
      for (int i = 0; i < found; i++) {
        int user = (int) input.user(indexes[i]);
        long count = ++counts[user];
        sum += byName ? Mix.count(Input.name(user), count) : Mix.of(user, count);
      }
    }
    new Outputs().end(sum, outputs);
  }
}
