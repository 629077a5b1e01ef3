package io.streamforge.bench.profile;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.measure.RunningJob;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;

/**
 * Runs one workload on StreamForge under Flight Recorder, warmed up, and writes a flame graph and a
 * summary. The JVM should have the flags of those that measure, and {@code -XX:+DebugNonSafepoints}
 * so that samples name the right lines.
 *
 * <p>System properties: {@code only}, the workload; {@code warmUp} and {@code seconds}; {@code
 * results}, the directory to write to.
 */
public final class Profile {
  private static final int PARALLELISM = 2;

  private Profile() {}

  /** Profiles it and prints where the files are. */
  public static void main(String[] arguments) throws Exception {
    Workload workload = Workload.of(System.getProperty("only", "W2"));
    Path directory = Path.of(System.getProperty("results", "streamforge-bench/results"));
    Files.createDirectories(directory);
    Path file = Files.createTempFile("profile", ".jfr");
    double seconds = Double.parseDouble(System.getProperty("seconds", "10"));
    double recordsPerSecond;
    try (RunningJob job =
            RunningJob.start(new ForgeJob(), workload, PARALLELISM, Feed.begin(Feed.ENDLESS));
        Recording recording = recording()) {
      job.sleep(Double.parseDouble(System.getProperty("warmUp", "5")));
      long read = job.read();
      recording.start();
      job.sleep(seconds);
      recording.stop();
      recordsPerSecond = (job.read() - read) / seconds;
      recording.dump(file);
    }
    Samples samples = Samples.read(file);
    Files.delete(file);
    Path summary = directory.resolve("profile-" + workload.id() + ".txt");
    Path graph = directory.resolve("profile-" + workload.id() + ".svg");
    String title = "%s %s, parallelism %d".formatted(workload.id(), workload.title(), PARALLELISM);
    Files.writeString(summary, Summary.of(title, samples, recordsPerSecond, seconds));
    Files.writeString(graph, FlameGraph.of(title, samples.root()));
    System.out.println(summary + "\n" + graph);
  }

  private static Recording recording() {
    Recording recording = new Recording();
    recording.enable("jdk.ExecutionSample").withPeriod(Duration.ofMillis(10));
    recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
    recording.enable("jdk.GarbageCollection");
    return recording;
  }
}
