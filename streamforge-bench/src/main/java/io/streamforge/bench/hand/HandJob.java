package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;

/** Runs the loops. */
public final class HandJob implements Job {
  @Override
  public void run(Workload workload, int parallelism) throws Exception {
    HandThreads.run(parallelism, share(workload.shape(), workload.input()));
  }

  private static HandThreads.Share share(Shape shape, Input input) {
    if (shape instanceof Shape.Stateless) {
      return StatelessLoop::run;
    }
    if (shape instanceof Shape.Chain chain) {
      return (thread, threads) -> ChainLoop.run(chain.length(), thread, threads);
    }
    if (shape instanceof Shape.RunningCount count) {
      return (thread, threads) ->
          CountLoop.run(input, count.byName(), new OwnKeys(input, thread, threads));
    }
    if (shape instanceof Shape.TimeWindows windows) {
      return (thread, threads) ->
          new WindowLoop(windows, input, new OwnKeys(input, thread, threads)).run();
    }
    if (shape instanceof Shape.Sessions sessions) {
      return (thread, threads) ->
          new SessionLoop(sessions, input, new OwnKeys(input, thread, threads)).run();
    }
    throw new IllegalArgumentException("no loop for " + shape);
  }
}
