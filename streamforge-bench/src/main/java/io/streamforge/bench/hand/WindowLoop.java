package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Times;
import java.util.Arrays;

/**
 * W3, W4 and Z3: a ring of slices, each as long as the slide, and the total of the open window for
 * each user. When the watermark passes the end of a slice, the slice enters the totals, a window is
 * emitted, and the slice that the next window no longer covers leaves them.
 */
final class WindowLoop implements KeyedLoop {
  private static final int COUNT = 1;
  private static final int SUM = 2;

  /** A product instead of a division; exact for the first 2^29 milliseconds. */
  private static final int SHIFT = 40;

  /** How far a batch may be ahead of another, generously: threads are, and so are full rings. */
  private static final int AHEAD_MILLIS = (int) (4 * Exchange.AHEAD * 1_000 / Times.PER_SECOND);

  private final Input input;
  private final long reciprocal;
  private final int slideMillis;
  private final int slicesOfWindow;
  private final UserTable[] slices;
  private final UserTable totals = new UserTable(2);
  private long hash;
  private long outputs;

  /** Number of the first slice that is open. */
  private long open;

  /** Number of the last slice that has records. */
  private long newest;

  WindowLoop(Shape.TimeWindows windows, Input input) {
    this.input = input;
    this.slideMillis = windows.slideMillis();
    this.reciprocal = (1L << SHIFT) / slideMillis + 1;
    this.slicesOfWindow = windows.sizeMillis() / slideMillis;
    int openSlices = (input.times().outOfOrderMillis() + AHEAD_MILLIS) / slideMillis + 2;
    this.slices = new UserTable[Integer.highestOneBit(2 * (slicesOfWindow + openSlices) - 1)];
    Arrays.setAll(slices, i -> new UserTable(2));
  }

  @Override
  public void take(Batch batch) {
    int mask = slices.length - 1;
    for (int i = 0; i < batch.size; i++) {
      long number = batch.millis[i] * reciprocal >>> SHIFT;
      newest = Math.max(newest, number);
      UserTable slice = slices[(int) number & mask];
      int at = slice.find(batch.users[i]);
      slice.cells[at + COUNT]++;
      slice.cells[at + SUM] += batch.amounts[i];
    }
    if (newest - open > slices.length - slicesOfWindow - 1) {
      throw new IllegalStateException("a thread is more than " + AHEAD_MILLIS + " ms ahead");
    }
  }

  @Override
  public void passed(long latestMillis) {
    closeUntil(latestMillis - input.times().outOfOrderMillis());
  }

  @Override
  public void end() {
    closeUntil((newest + slicesOfWindow) * slideMillis);
    new Outputs().end(hash, outputs);
  }

  private void closeUntil(long watermarkMillis) {
    while ((open + 1) * slideMillis <= watermarkMillis) {
      close();
      open++;
    }
  }

  private void close() {
    UserTable entering = slices[(int) open & slices.length - 1];
    UserTable leaving = slices[(int) (open - slicesOfWindow) & slices.length - 1];
    if (slicesOfWindow == 1) {
      emit(entering);
      entering.clear();
    } else {
      add(entering, 1);
      add(leaving, -1);
      leaving.clear();
      emit(totals);
    }
  }

  private void add(UserTable slice, int sign) {
    long[] cells = slice.cells;
    for (int from = 0; from < cells.length; from = slice.next(from)) {
      if (cells[from] != 0) {
        int at = totals.find(cells[from] - 1);
        totals.cells[at + COUNT] += sign * cells[from + COUNT];
        totals.cells[at + SUM] += sign * cells[from + SUM];
      }
    }
  }

  private void emit(UserTable table) {
    long startMillis = (open + 1 - slicesOfWindow) * slideMillis;
    long[] cells = table.cells;
    for (int at = 0; at < cells.length; at = table.next(at)) {
      long count = cells[at + COUNT];
      if (count > 0) {
        hash += Mix.window(cells[at] - 1, startMillis, count, cells[at + SUM]);
        outputs++;
      }
    }
  }
}
