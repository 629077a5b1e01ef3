package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;
import io.streamforge.bench.workload.Shape;
import java.util.Arrays;

/**
 * W3, W4 and Z3: a ring of slices, each as long as the slide, and the total of the open window for
 * each user. When the watermark passes the end of a slice, the slice enters the totals, a window is
 * emitted, and the slice that the next window no longer covers leaves them.
 */
final class WindowLoop {
  /** A product instead of a division; exact for the first 2^29 milliseconds. */
  private static final int SHIFT = 40;

  private final Input input;
  private final OwnKeys own;
  private final int users;
  private final long reciprocal;
  private final int slideMillis;
  private final int slicesOfWindow;
  private final int mask;
  private final long[] counts;
  private final long[] sums;
  private final long[] totalCounts;
  private final long[] totalSums;
  private long hash;
  private long outputs;

  /** Number of the first slice that is open. */
  private long open;

  WindowLoop(Shape.TimeWindows windows, Input input, OwnKeys own) {
    this.input = input;
    this.own = own;
    this.users = (int) input.userCount();
    this.slideMillis = windows.slideMillis();
    this.reciprocal = (1L << SHIFT) / slideMillis + 1;
    this.slicesOfWindow = windows.sizeMillis() / slideMillis;
    // A chunk is 10 ms of event time; with it, no more slices than these are open at once.
    int openSlices = input.times().outOfOrderMillis() / slideMillis + 2;
    int ring = Integer.highestOneBit(2 * (slicesOfWindow + openSlices) - 1);
    this.mask = ring - 1;
    this.counts = new long[ring * users];
    this.sums = new long[ring * users];
    this.totalCounts = new long[users];
    this.totalSums = new long[users];
  }

  void run() {
    long[] indexes = own.indexes();
    long latest = 0;
    for (int found; (found = own.find()) >= 0; ) {
      for (int i = 0; i < found; i++) {
        long index = indexes[i];
        long timestamp = input.timestamp(index);
        latest = Math.max(latest, timestamp);
        int at =
            ((int) (timestamp * reciprocal >>> SHIFT) & mask) * users + (int) input.user(index);
        counts[at]++;
        sums[at] += Input.amount(index);
      }
      closeUntil(latest - input.times().outOfOrderMillis());
    }
    closeUntil(latest + (slicesOfWindow + 1L) * slideMillis);
    new Outputs().end(hash, outputs);
  }

  private void closeUntil(long watermarkMillis) {
    while ((open + 1) * slideMillis <= watermarkMillis) {
      close();
      open++;
    }
  }

  private void close() {
    int entering = ((int) open & mask) * users;
    int leaving = ((int) (open - slicesOfWindow) & mask) * users;
    long startMillis = (open + 1 - slicesOfWindow) * slideMillis;
    if (slicesOfWindow == 1) {
      emit(counts, sums, entering, startMillis);
    } else {
      for (int user = 0; user < users; user++) {
        totalCounts[user] += counts[entering + user] - counts[leaving + user];
        totalSums[user] += sums[entering + user] - sums[leaving + user];
      }
      emit(totalCounts, totalSums, 0, startMillis);
    }
    Arrays.fill(counts, leaving, leaving + users, 0);
    Arrays.fill(sums, leaving, leaving + users, 0);
  }

  private void emit(long[] windowCounts, long[] windowSums, int from, long startMillis) {
    for (int user = 0; user < users; user++) {
      long count = windowCounts[from + user];
      if (count > 0) {
        hash += Mix.window(user, startMillis, count, windowSums[from + user]);
        outputs++;
      }
    }
  }
}
