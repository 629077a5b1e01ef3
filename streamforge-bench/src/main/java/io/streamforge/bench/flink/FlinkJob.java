package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Scratch;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the jobs in an embedded cluster that lives as long as the JVM. */
public final class FlinkJob implements Job {
  private MiniCluster cluster;
  private Size size;
  private volatile Path location;
  private volatile long restoredBytes;

  /** What differs between clusters. */
  private record Size(int slots, long nativeBytes) {}

  @Override
  public void run(Workload workload, int parallelism) throws Exception {
    if (workload.shape() instanceof Shape.CheckpointedCount) {
      try (Scratch scratch = Scratch.create()) {
        run(workload, parallelism, Checkpoints.everySecond(scratch.directory()));
      }
    } else if (workload.onDisk()) {
      try (Scratch scratch = Scratch.create()) {
        StreamExecutionEnvironment environment = environment(workload, parallelism);
        environment.configure(state(workload, scratch.directory()));
        execute(workload, parallelism, jobGraph(environment, workload));
      }
    } else {
      execute(workload, parallelism, jobGraph(environment(workload, parallelism), workload));
    }
  }

  @Override
  public void run(Workload workload, int parallelism, Checkpoints checkpoints) throws Exception {
    StreamExecutionEnvironment environment = environment(workload, parallelism);
    environment.enableCheckpointing(checkpoints.intervalMillis(), CheckpointingMode.EXACTLY_ONCE);
    environment.configure(
        state(workload, checkpoints.state())
            .set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true)
            .set(
                CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS,
                Duration.ofMillis(checkpoints.pauseMillis()))
            .set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem")
            .set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION)
            .set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                checkpoints.location().toUri().toString()));
    location = checkpoints.location();
    JobGraph job = jobGraph(environment, workload);
    Optional<Path> newest = newest(checkpoints.location());
    if (newest.isPresent()) {
      restoredBytes = files(newest.get().toFile()).mapToLong(File::length).sum();
      job.setSavepointRestoreSettings(
          SavepointRestoreSettings.forPath(newest.get().toUri().toString()));
    }
    execute(workload, parallelism, job);
  }

  @Override
  public long lastCheckpoint() {
    return newest(location)
        .map(directory -> directory.getFileName().toString())
        .map(name -> Long.parseLong(name.substring(name.indexOf('-') + 1))) // chk-7
        .orElse(0L);
  }

  @Override
  public long restoredBytes() {
    return restoredBytes;
  }

  private static StreamExecutionEnvironment environment(Workload workload, int parallelism) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism);
    environment.getConfig().enableObjectReuse();
    if (workload.measure() == Measure.RECOVERY) {
      // Otherwise a restore asks the system for each byte of a text by itself.
      environment.getConfig().setUseSnapshotCompression(true);
    }
    if (workload.measure() == Measure.LATENCY) {
      // The defaults, 100 and 200 ms, are for throughput.
      environment.setBufferTimeout(1);
      environment.getConfig().setAutoWatermarkInterval(1);
    }
    return environment;
  }

  private static Configuration state(Workload workload, Path directory) {
    Configuration configuration = new Configuration();
    configuration.setString("state.backend.rocksdb.localdir", directory.toString());
    if (workload.loadedFirst()) {
      // Not its default, but several times faster where most of the state is not in memory.
      configuration.setString("state.backend.rocksdb.use-bloom-filter", "true");
    }
    configuration.set(StateBackendOptions.STATE_BACKEND, workload.onDisk() ? "rocksdb" : "hashmap");
    return configuration;
  }

  private static JobGraph jobGraph(StreamExecutionEnvironment environment, Workload workload) {
    FlinkStreams.build(environment, workload);
    return environment.getStreamGraph().getJobGraph();
  }

  private void execute(Workload workload, int parallelism, JobGraph job) throws Exception {
    Size needed = new Size(parallelism, workload.nativeBytes());
    if (!needed.equals(size)) {
      if (cluster != null) {
        cluster.close();
      }
      cluster = cluster(needed);
      size = needed;
    }
    cluster.executeJobBlocking(job);
  }

  /** The directory of the last complete checkpoint, of whichever job; others come and go. */
  private static Optional<Path> newest(Path location) {
    return files(location.toFile())
        .flatMap(FlinkJob::files)
        .map(checkpoint -> new File(checkpoint, "_metadata"))
        .filter(File::isFile)
        .max(Comparator.comparingLong(File::lastModified))
        .map(metadata -> metadata.toPath().getParent());
  }

  private static Stream<File> files(File directory) {
    File[] files = directory.listFiles();
    return files == null ? Stream.empty() : Stream.of(files);
  }

  private static MiniCluster cluster(Size size) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, new MemorySize(size.nativeBytes));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(size.slots)
                .build());
    cluster.start();
    return cluster;
  }
}
