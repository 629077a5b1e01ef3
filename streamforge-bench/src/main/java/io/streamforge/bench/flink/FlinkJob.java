package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Runs the jobs in an embedded cluster. */
public final class FlinkJob implements Job {
  @Override
  public void run(Workload workload, int parallelism) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(128));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(128));
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    environment.getConfig().enableObjectReuse();
    if (workload.measure() == Measure.LATENCY) {
      // The defaults, 100 and 200 ms, are for throughput.
      environment.setBufferTimeout(1);
      environment.getConfig().setAutoWatermarkInterval(1);
    }
    FlinkStreams.build(environment, workload);
    environment.execute(workload.id());
  }
}
