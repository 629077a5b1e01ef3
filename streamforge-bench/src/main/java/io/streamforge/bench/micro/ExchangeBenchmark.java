package io.streamforge.bench.micro;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Workload;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time a record that is given a key and sent to the task of that key, which keeps no state. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
public class ExchangeBenchmark {
  private static final int RECORDS = 5_000_000;

  /** Tasks on each side. */
  @Param({"1", "2"})
  public int parallelism;

  /** A job. */
  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long exchange() throws InterruptedException {
    Feed feed = Feed.begin(RECORDS);
    new ForgeJob().run(Workload.EXCHANGE, parallelism);
    return feed.checksum();
  }
}
