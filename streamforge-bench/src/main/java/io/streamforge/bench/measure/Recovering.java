package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Runs a job from its newest checkpoint until it is killed, and prints when it has come how far: a
 * word, epoch milliseconds, and for {@code first} the bytes of state and the records that it goes
 * on behind.
 *
 * <p>Arguments: class of the {@link Job}, workload, parallelism, directory of the job.
 */
final class Recovering {
  private Recovering() {}

  /** Ends when whoever has started it does. */
  public static void main(String[] arguments) {
    say("main " + System.currentTimeMillis());
    try {
      Job job = (Job) Class.forName(arguments[0]).getConstructor().newInstance();
      Workload workload = Workload.of(arguments[1]);
      int parallelism = Integer.parseInt(arguments[2]);
      Path directory = Path.of(arguments[3]);
      Feed feed = Feed.begin(Feed.ENDLESS);
      new Thread(Recovering::endWithParent, "parent").start();
      new Thread(() -> report(job, workload, feed), "report").start();
      job.run(workload, parallelism, Job.Checkpoints.everySecond(directory));
    } catch (Throwable e) {
      e.printStackTrace();
    }
    Runtime.getRuntime().halt(1);
  }

  private static void report(Job job, Workload workload, Feed feed) {
    try {
      while (feed.outputs() == 0) {
        Thread.sleep(1);
      }
      long first = System.currentTimeMillis();
      say("first %d %d %d".formatted(first, job.restoredBytes(), feed.restored()));
      while (feed.outputs() < workload.input().userCount()) {
        Thread.sleep(10);
      }
      say("loaded " + System.currentTimeMillis());
      long begun = job.lastCheckpoint() + 1;
      while (job.lastCheckpoint() <= begun) {
        Thread.sleep(10);
      }
      say("saved " + System.currentTimeMillis());
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // It says nothing.
      }
    } catch (IOException e) {
      // It is gone.
    }
    Runtime.getRuntime().halt(1);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
