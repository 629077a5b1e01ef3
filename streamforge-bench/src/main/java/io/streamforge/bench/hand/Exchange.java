package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Chunks;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Input;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Threads that each read a share of the input, and send each record to the thread that has its
 * user; what is a thread's own takes the same batches, without a ring.
 */
final class Exchange {
  /** Indexes that a thread may be ahead of another; more would keep many windows open. */
  static final long AHEAD = 64 * Feed.CHUNK;

  private final Input input;
  private final int threads;
  private final AtomicLongArray progress;
  private final Ring[][] rings;

  Exchange(Input input, int threads) {
    this.input = input;
    this.threads = threads;
    this.progress = new AtomicLongArray(threads);
    this.rings = new Ring[threads][threads];
    for (Ring[] row : rings) {
      Arrays.setAll(row, to -> new Ring());
    }
  }

  /** Does the work of one thread. */
  void run(int thread, KeyedLoop loop) {
    new Worker(thread, loop).run();
  }

  private final class Worker {
    private final int thread;
    private final KeyedLoop loop;
    private final Chunks chunks;
    private final @Nullable Batch[] filling = new Batch[threads];
    private final long[] latest = new long[threads];
    private int running = threads;
    private long latestMillis = Long.MIN_VALUE;

    Worker(int thread, KeyedLoop loop) {
      this.thread = thread;
      this.loop = loop;
      this.chunks = new Chunks(thread, threads);
      Arrays.fill(latest, Long.MIN_VALUE);
      filling[thread] = new Batch();
    }

    void run() {
      while (chunks.advance()) {
        long to = chunks.to();
        for (long index = chunks.from(); index < to; index += threads) {
          long user = input.user(index);
          long millis = input.timestamp(index);
          latestMillis = Math.max(latestMillis, millis);
          int owner = threads == 1 ? 0 : UserTable.owner(user, threads);
          Batch batch = filling(owner);
          batch.add(user, millis, Input.amount(index));
          if (batch.size == Batch.CAPACITY) {
            send(owner, batch);
          }
        }
        receive();
        progress.lazySet(thread, to);
        while (to - slowest() > AHEAD) {
          receiveOrWait();
        }
      }
      progress.lazySet(thread, Long.MAX_VALUE);
      for (int owner = 0; owner < threads; owner++) {
        Batch batch = filling(owner);
        batch.last = true;
        send(owner, batch);
      }
      while (running > 0) {
        receiveOrWait();
      }
      loop.end();
    }

    private long slowest() {
      long slowest = Long.MAX_VALUE;
      for (int i = 0; i < threads; i++) {
        slowest = Math.min(slowest, progress.get(i));
      }
      return slowest;
    }

    private Batch filling(int owner) {
      Batch batch = filling[owner];
      while (batch == null) {
        batch = rings[thread][owner].empty();
        filling[owner] = batch;
        if (batch == null) {
          receiveOrWait();
        }
      }
      return batch;
    }

    private void receiveOrWait() {
      if (!receive()) {
        Thread.onSpinWait();
      }
    }

    private void send(int owner, Batch batch) {
      batch.latestMillis = latestMillis;
      if (owner != thread) {
        filling[owner] = null;
        rings[thread][owner].send(batch);
        return;
      }
      took(thread, batch);
      batch.size = 0;
    }

    /** Takes a batch from each other thread that has sent one. */
    private boolean receive() {
      boolean any = false;
      for (int from = 0; from < threads; from++) {
        Batch batch = from == thread ? null : rings[from][thread].poll();
        if (batch != null) {
          any = true;
          took(from, batch);
          rings[from][thread].giveBack(batch);
        }
      }
      return any;
    }

    private void took(int from, Batch batch) {
      loop.take(batch);
      latest[from] = batch.last ? Long.MAX_VALUE : batch.latestMillis;
      running -= batch.last ? 1 : 0;
      long passed = Long.MAX_VALUE;
      for (int i = 0; i < threads; i++) {
        passed = Math.min(passed, latest[i]);
      }
      if (passed > Long.MIN_VALUE && passed < Long.MAX_VALUE) {
        loop.passed(passed);
      }
    }
  }
}
