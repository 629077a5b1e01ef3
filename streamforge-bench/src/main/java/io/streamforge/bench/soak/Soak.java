package io.streamforge.bench.soak;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs a job at full load into a slow sink for minutes, then starts and closes many jobs. The exit
 * status is 0 when memory stayed flat and nothing was left behind.
 *
 * <p>System properties: {@code minutes}; {@code jobs}.
 */
public final class Soak {
  private Soak() {}

  /** Soaks. */
  public static void main(String[] arguments) throws Exception {
    double minutes = Double.parseDouble(System.getProperty("minutes", "10"));
    List<String> complaints = new ArrayList<>();
    complaints.addAll(SlowSink.run(minutes));
    complaints.addAll(ManyJobs.run(Integer.getInteger("jobs", 500)));
    complaints.forEach(complaint -> System.out.println("FAILED  " + complaint));
    if (complaints.isEmpty()) {
      System.out.println("PASSED  memory flat, no thread and no class loader left behind");
    }
    System.exit(complaints.isEmpty() ? 0 : 1);
  }
}
