package io.streamforge.bench.jet;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.jet.config.JobConfig;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;

/** Runs the pipelines on a member that lives as long as the JVM. */
public final class JetJob implements Job {
  private HazelcastInstance member;
  private int threads;

  @Override
  public void run(Workload workload, int parallelism) {
    if (member == null || threads != parallelism) {
      if (member != null) {
        member.shutdown();
      }
      member = Hazelcast.newHazelcastInstance(config(parallelism));
      threads = parallelism;
    }
    member.getJet().newJob(Pipelines.of(workload), new JobConfig().setMetricsEnabled(false)).join();
  }

  private static Config config(int threads) {
    Config config = new Config();
    config.setProperty("hazelcast.logging.type", "none");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.getMetricsConfig().setEnabled(false);
    config.getJetConfig().setEnabled(true).setCooperativeThreadCount(threads);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    return config;
  }
}
