package io.streamforge.bench.micro;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.bench.workload.Mix;
import io.streamforge.config.EngineConfig;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Time to count up a random key, in the tables of the memory backend: one with an object a key, and
 * one with columns of longs, as for counts and sums.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseParallelGC"})
@SuppressWarnings("NullAway.Init") // set up by JMH
public class StateTableBenchmark {
  /** Number of keys. */
  @Param({"10000", "100000", "1000000"})
  public int keys;

  private KeyKind<Object> kind;
  private KeyedTable<Long> table;
  private ColumnTable columns;
  private long next;

  /** Fills the table. */
  @Setup
  @SuppressWarnings("unchecked") // the table takes keys of any type
  public void fill() {
    kind = (KeyKind<Object>) (KeyKind<?>) KeyKinds.of(Serdes.longs());
    int groups = EngineConfig.DEFAULT_KEY_GROUPS;
    KeyedStates states =
        new MemoryBackend()
            .open(
                new NodeClasses(true),
                KeyedStateBackend.Opening.fresh("benchmark", kind, 0, groups, groups));
    table = states.table(StateDescriptor.of("objects", Serdes.longs()));
    columns = states.columns(ColumnsDescriptor.of("columns", 1, "count"));
    for (long key = 0; key < keys; key++) {
      table.put(key, kind.hash(key), 0L);
      columns.locate(key, kind.hash(key));
    }
  }

  /** A look-up of the object and another to replace it. */
  @Benchmark
  public Long countInObjects() {
    Long key = nextKey();
    long hash = kind.hash(key);
    Long before = table.get(key, hash);
    Long count = before == null ? 1 : before + 1;
    table.put(key, hash, count);
    return count;
  }

  /** One look-up; the long is changed in place. */
  @Benchmark
  public long countInColumns() {
    Long key = nextKey();
    int at = columns.locate(key, kind.hash(key));
    return ++columns.columns()[at];
  }

  private long nextKey() {
    return Mix.below(Mix.of(next++), keys);
  }
}
