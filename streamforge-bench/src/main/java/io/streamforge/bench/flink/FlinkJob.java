package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Scratch;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the jobs in an embedded cluster that lives as long as the JVM. */
public final class FlinkJob implements Job {
  private MiniCluster cluster;
  private int slots;

  @Override
  public void run(Workload workload, int parallelism) throws Exception {
    if (cluster == null || slots != parallelism) {
      if (cluster != null) {
        cluster.close();
      }
      cluster = cluster(parallelism);
      slots = parallelism;
    }
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism);
    environment.getConfig().enableObjectReuse();
    if (workload.measure() == Measure.LATENCY) {
      // The defaults, 100 and 200 ms, are for throughput.
      environment.setBufferTimeout(1);
      environment.getConfig().setAutoWatermarkInterval(1);
    }
    FlinkStreams.build(environment, workload);
    if (workload.shape() instanceof Shape.CheckpointedCount count) {
      try (Scratch scratch = Scratch.create();
          Scratch local = Scratch.create()) {
        environment.enableCheckpointing(1_000, CheckpointingMode.EXACTLY_ONCE);
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.rocksdb.localdir", local.directory().toString());
        environment.configure(
            configuration
                .set(StateBackendOptions.STATE_BACKEND, count.onDisk() ? "rocksdb" : "hashmap")
                .set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true)
                .set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem")
                .set(
                    CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                    scratch.directory().toUri().toString()));
        cluster.executeJobBlocking(environment.getStreamGraph().getJobGraph());
      }
    } else {
      cluster.executeJobBlocking(environment.getStreamGraph().getJobGraph());
    }
  }

  private static MiniCluster cluster(int slots) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, new MemorySize(Scratch.NATIVE_BYTES));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .build());
    cluster.start();
    return cluster;
  }
}
