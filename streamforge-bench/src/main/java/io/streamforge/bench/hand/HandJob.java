package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;

/** Runs the loops. */
public final class HandJob implements Job {
  @Override
  public void run(Workload workload, int parallelism) throws Exception {
    HandThreads.run(parallelism, share(workload.shape(), workload.input(), parallelism));
  }

  private static HandThreads.Share share(Shape shape, Input input, int threads) {
    if (shape instanceof Shape.Stateless) {
      return thread -> StatelessLoop.run(thread, threads);
    }
    if (shape instanceof Shape.Chain chain) {
      return thread -> ChainLoop.run(chain.length(), thread, threads);
    }
    Exchange exchange = new Exchange(input, threads);
    if (shape instanceof Shape.RunningCount count) {
      return thread -> exchange.run(thread, new CountLoop(count.byName()));
    }
    if (shape instanceof Shape.CheckpointedCount) {
      return thread -> exchange.run(thread, new CountLoop(false));
    }
    if (shape instanceof Shape.TimeWindows windows) {
      return thread -> exchange.run(thread, new WindowLoop(windows, input));
    }
    if (shape instanceof Shape.Sessions sessions) {
      return thread -> exchange.run(thread, new SessionLoop(sessions));
    }
    throw new IllegalArgumentException("no loop for " + shape);
  }
}
