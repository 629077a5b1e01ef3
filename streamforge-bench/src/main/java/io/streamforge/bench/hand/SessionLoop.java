package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;
import io.streamforge.bench.workload.Shape;
import java.util.Arrays;

/**
 * W5, whose input is in order: a session is over when the next record of its user comes too late
 * for it, and looked for among all users once a gap.
 */
final class SessionLoop {
  private static final long NONE = Long.MIN_VALUE / 2;

  private final int gapMillis;
  private final Input input;
  private final OwnKeys own;
  private final long[] starts;
  private final long[] lasts;
  private final long[] counts;
  private final long[] sums;
  private long hash;
  private long outputs;

  SessionLoop(Shape.Sessions sessions, Input input, OwnKeys own) {
    this.gapMillis = sessions.gapMillis();
    this.input = input;
    this.own = own;
    int users = (int) input.userCount();
    this.starts = new long[users];
    this.lasts = new long[users];
    this.counts = new long[users];
    this.sums = new long[users];
    Arrays.fill(lasts, NONE);
  }

  void run() {
    long[] indexes = own.indexes();
    long looked = 0;
    long now = 0;
    for (int found; (found = own.find()) >= 0; ) {
      for (int i = 0; i < found; i++) {
        long index = indexes[i];
        now = input.timestamp(index);
        int user = (int) input.user(index);
        if (now - lasts[user] >= gapMillis) {
          end(user);
          starts[user] = now;
        }
        lasts[user] = now;
        counts[user]++;
        sums[user] += Input.amount(index);
      }
      if (now - looked >= gapMillis) {
        endUntil(now - gapMillis);
        looked = now;
      }
    }
    endUntil(Long.MAX_VALUE);
    new Outputs().end(hash, outputs);
  }

  private void endUntil(long millis) {
    for (int user = 0; user < lasts.length; user++) {
      if (lasts[user] <= millis) {
        end(user);
      }
    }
  }

  private void end(int user) {
    if (counts[user] > 0) {
      hash += Mix.window(user, starts[user], counts[user], sums[user]);
      outputs++;
      counts[user] = 0;
      sums[user] = 0;
      lasts[user] = NONE;
    }
  }
}
