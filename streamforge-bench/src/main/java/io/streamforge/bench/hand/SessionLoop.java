package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Outputs;
import io.streamforge.bench.workload.Shape;

/**
 * W5: the last two sessions of each user, since the threads do not read in step. Those that are
 * over are looked for among all users once a gap.
 */
final class SessionLoop implements KeyedLoop {
  private static final int START = 1;
  private static final int LAST = 2;
  private static final int COUNT = 3;
  private static final int SUM = 4;

  /** The numbers of the session before come behind those of the newest. */
  private static final int BEFORE = 4;

  private final int gapMillis;
  private final UserTable table = new UserTable(2 * BEFORE);
  private long lookedMillis;
  private long hash;
  private long outputs;

  SessionLoop(Shape.Sessions sessions) {
    this.gapMillis = sessions.gapMillis();
  }

  @Override
  public void take(Batch batch) {
    for (int i = 0; i < batch.size; i++) {
      long millis = batch.millis[i];
      int at = table.find(batch.users[i]);
      long[] cells = table.cells;
      if (cells[at + COUNT] != 0 && millis - cells[at + LAST] >= gapMillis) {
        push(at);
      }
      boolean before = cells[at + COUNT] != 0 && cells[at + START] - millis >= gapMillis;
      add(before ? BEFORE : 0, at, millis, batch.amounts[i]);
      if (cells[at + BEFORE + COUNT] != 0
          && cells[at + START] - cells[at + BEFORE + LAST] < gapMillis) {
        merge(at);
      }
    }
  }

  private void add(int session, int at, long millis, long amount) {
    long[] cells = table.cells;
    boolean first = cells[at + session + COUNT]++ == 0;
    cells[at + session + SUM] += amount;
    if (first || millis > cells[at + session + LAST]) {
      cells[at + session + LAST] = millis;
    }
    if (first || millis < cells[at + session + START]) {
      cells[at + session + START] = millis;
    }
  }

  /** The newest becomes the one before. */
  private void push(int at) {
    long[] cells = table.cells;
    if (cells[at + BEFORE + COUNT] != 0) {
      throw new IllegalStateException("three sessions of a user are open");
    }
    for (int i = 0; i < BEFORE; i++) {
      cells[at + 1 + BEFORE + i] = cells[at + 1 + i];
      cells[at + 1 + i] = 0;
    }
  }

  private void merge(int at) {
    long[] cells = table.cells;
    cells[at + START] = cells[at + BEFORE + START];
    cells[at + COUNT] += cells[at + BEFORE + COUNT];
    cells[at + SUM] += cells[at + BEFORE + SUM];
    cells[at + BEFORE + COUNT] = 0;
    cells[at + BEFORE + SUM] = 0;
  }

  @Override
  public void passed(long latestMillis) {
    if (latestMillis - lookedMillis >= gapMillis) {
      endUntil(latestMillis - gapMillis);
      lookedMillis = latestMillis;
    }
  }

  @Override
  public void end() {
    endUntil(Long.MAX_VALUE);
    new Outputs().end(hash, outputs);
  }

  private void endUntil(long millis) {
    for (int at = 0; at < table.cells.length; at = table.next(at)) {
      end(0, at, millis);
      end(BEFORE, at, millis);
    }
  }

  private void end(int session, int at, long millis) {
    long[] cells = table.cells;
    if (cells[at + session + COUNT] != 0 && cells[at + session + LAST] <= millis) {
      hash +=
          Mix.window(
              cells[at] - 1,
              cells[at + session + START],
              cells[at + session + COUNT],
              cells[at + session + SUM]);
      outputs++;
      cells[at + session + COUNT] = 0;
      cells[at + session + SUM] = 0;
    }
  }
}
