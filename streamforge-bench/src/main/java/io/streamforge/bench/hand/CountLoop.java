package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;

/** W2. */
final class CountLoop {
  private CountLoop() {}

  static void run(Input input, OwnKeys own) {
    long[] counts = new long[(int) input.userCount()];
    long[] indexes = own.indexes();
    long sum = 0;
    long outputs = 0;
    for (int found; (found = own.find()) >= 0; outputs += found) {
      for (int i = 0; i < found; i++) {
        int user = (int) input.user(indexes[i]);
        sum += Mix.of(user, ++counts[user]);
      }
    }
    Feed.current().add(sum, outputs);
  }
}
