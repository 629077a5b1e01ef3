package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;

/**
 * Prints the checksum and the number of outputs of workloads, a line each.
 *
 * <p>Arguments: class of the {@link Job}, parallelism, records, workloads.
 */
public final class Checksums {
  private Checksums() {}

  /** Runs them, and ends the JVM even when an engine has left threads behind. */
  public static void main(String[] arguments) {
    int status = 1;
    try {
      Job job = (Job) Class.forName(arguments[0]).getConstructor().newInstance();
      for (int i = 3; i < arguments.length; i++) {
        System.out.println(
            arguments[i]
                + " "
                + of(
                    job,
                    Workload.of(arguments[i]),
                    Integer.parseInt(arguments[1]),
                    Long.parseLong(arguments[2])));
      }
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace();
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  /** Checksum and number of outputs of the first records. */
  public static String of(Job job, Workload workload, int parallelism, long records)
      throws Exception {
    Feed feed = Feed.begin(records);
    job.run(workload, parallelism);
    return Long.toHexString(feed.checksum()) + " of " + feed.outputs();
  }
}
