package io.streamforge.bench.workload;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * A computation on an input. Whatever runs it adds up the same hashes over its outputs, which come
 * in any order.
 *
 * @param id short name, such as {@code W1}; variants have a suffix, such as {@code W2-1M}
 * @param title what it computes, in a few words
 */
public record Workload(String id, String title, Measure measure, Shape shape, Input input) {
  private static final Times OUT_OF_ORDER = new Times(500);
  private static final Shape COUNT = new Shape.RunningCount(false);
  private static final Shape TUMBLING = new Shape.TimeWindows(1_000, 1_000);

  private static final int TEN_MILLION = 10_000_000;

  /** Those whose throughput is measured. */
  private static final List<Workload> THROUGHPUT =
      List.of(
          stateless("W1", "stateless chain", new Shape.Stateless()),
          counts("W2", "running count, 100 k keys", 100_000),
          counts("W2-1M", "running count, 1 M keys", 1_000_000),
          windows("W3", "tumbling windows of 1 s, 10 k keys", Users.uniform(10_000)),
          sliding("W4", "sliding windows of 10 s by 100 ms, 1 k keys", 100),
          sliding("W4-1s", "sliding windows of 10 s by 1 s, 1 k keys", 1_000),
          sessions("W5", "sessions, gap 500 ms, 10 k keys"),
          checkpointed("W7", "W2 with a checkpoint a second", 100_000, false),
          checkpointed("W7-rocksdb", "W7 in RocksDB, 100 k keys", 100_000, true),
          checkpointed("W7-rocksdb-10M", "W7 in RocksDB, 10 M keys", TEN_MILLION, true),
          larger("M2-zipf", "state 10 × memory, Zipf 1.0 keys", keys -> Users.zipf(keys, 1)),
          larger("M2-uniform", "state 10 × memory, uniform keys", Users::uniform),
          windows("Z3", "W3 with Zipf 1.2 keys", Users.zipf(10_000, 1.2)),
          windows("Z3-hot", "W3, one key has 90 %", Users.hot(10_000)),
          chain(4),
          chain(8),
          chain(12),
          chain(16));

  /** Those of which something else is measured. */
  private static final List<Workload> OTHERS =
      List.of(
          new Workload(
              "L1",
              "W3 at 500 k records/s: latency of results",
              Measure.LATENCY,
              TUMBLING,
              new Input(Users.uniform(10_000), 10_000, OUT_OF_ORDER)),
          memory("M1-long", "heap a Long key of W2, 5 M keys", false),
          memory("M1-string", "heap a String key of W2, 5 M keys", true),
          new Workload(
              "B1",
              "endless source, keyed count, sink of 100 k records/s",
              Measure.BACKPRESSURE,
              new Shape.ThrottledCount(100_000),
              Input.of(Users.uniform(100_000), 100_000)),
          counts(
              "M2",
              "heap a Long key of W2 during checkpoints, 5 M keys",
              Measure.CHECKPOINT_MEMORY,
              loaded(5_000_000),
              false),
          restore(),
          new Workload(
              "R1",
              "latest text of 100 bytes for each of 1 M keys: from SIGKILL to the first record",
              Measure.RECOVERY,
              new Shape.LatestText(100, false),
              everyOne(1_000_000)),
          counts(
              "stall-10M",
              "W7 with 10 M keys: how long checkpoints stop a task",
              Measure.STALL,
              loaded(TEN_MILLION),
              false),
          counts(
              "incremental-10M",
              "10 M keys, a hundredth changes between checkpoints",
              Measure.INCREMENT,
              everyOne(TEN_MILLION),
              false),
          counts(
              "incremental-10M-rocksdb",
              "the same in RocksDB",
              Measure.INCREMENT,
              everyOne(TEN_MILLION),
              true));

  /** All of them. */
  public static final List<Workload> ALL =
      Stream.of(THROUGHPUT, OTHERS).flatMap(List::stream).toList();

  /** An exchange and nothing else. */
  public static final Workload EXCHANGE =
      new Workload(
          "exchange",
          "exchange by key",
          Measure.THROUGHPUT,
          new Shape.Exchange(),
          Input.of(Users.uniform(100_000), 100_000));

  /** W1 for counting what the engine itself allocates. */
  public static final Workload CACHED =
      stateless("W1-cached", "stateless chain that makes no objects", new Shape.CachedStateless());

  /** The counts of M2 in a job without checkpoints. */
  public static final Workload UNCHECKPOINTED =
      new Workload("M2-plain", "M2 without checkpoints", Measure.MEMORY, COUNT, loaded(5_000_000));

  /** Texts that change often, to compare engines by. */
  public static final Workload TEXTS =
      new Workload(
          "texts",
          "latest text of 100 bytes for each of 1 k keys",
          Measure.THROUGHPUT,
          new Shape.LatestText(100, true),
          Input.of(Users.uniform(1_000), 1_000));

  private static final List<Workload> UNLISTED = List.of(EXCHANGE, CACHED, UNCHECKPOINTED, TEXTS);

  /**
   * The workload with this id, also one that is not of {@link #ALL}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Workload of(String id) {
    return Stream.of(ALL, UNLISTED)
        .flatMap(List::stream)
        .filter(workload -> workload.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no workload " + id));
  }

  /** How many records the checksum covers: fewer where a peer would take long. */
  public long checkedRecords() {
    return family().equals("W4") || loadedFirst() ? 200_000 : 1_000_000;
  }

  /** Whether it is also measured at parallelism 1. */
  public boolean alsoOnOneCore() {
    return id.equals("W1") || id.equals("W2") || id.equals("W3");
  }

  /** Whether nothing is kept from one record to the next. */
  public boolean stateless() {
    return shape instanceof Shape.Stateless
        || shape instanceof Shape.CachedStateless
        || shape instanceof Shape.Chain;
  }

  /** Whether only Flink runs it too. */
  public boolean besideFlinkOnly() {
    return shape instanceof Shape.CheckpointedCount || shape instanceof Shape.LatestText;
  }

  /** Whether its state is in RocksDB. */
  public boolean onDisk() {
    return shape instanceof Shape.CheckpointedCount count && count.onDisk()
        || shape instanceof Shape.LatestText texts && texts.onDisk();
  }

  /** Whether its state is larger than what may be kept in memory. */
  public boolean largerThanMemory() {
    return onDisk() && input.userCount() > 1_000_000;
  }

  /** Whether speed is measured only when all keys are there, since state is what it is about. */
  public boolean loadedFirst() {
    return largerThanMemory() && shape instanceof Shape.LatestText;
  }

  /** Memory that an engine may use outside the heap for state on disk. */
  public long nativeBytes() {
    return loadedFirst() ? 64L << 20 : 256L << 20;
  }

  /** Whether it takes so long that it is measured only where it is named. */
  public boolean onRequest() {
    return loadedFirst() || measure == Measure.INCREMENT && onDisk();
  }

  /** Whether Flink and Jet run it too. */
  public boolean onPeers() {
    return !(shape instanceof Shape.Chain
        || shape instanceof Shape.ThrottledCount
        || shape instanceof Shape.CheckpointedCount
        || shape instanceof Shape.LatestText);
  }

  /** The name without the suffix of a variant. */
  public String family() {
    return id.split("-", 2)[0];
  }

  private static Workload stateless(String id, String title, Shape shape) {
    return new Workload(id, title, Measure.THROUGHPUT, shape, Input.of(Users.uniform(1), 1));
  }

  private static Workload counts(String id, String title, int keys) {
    return new Workload(id, title, Measure.THROUGHPUT, COUNT, Input.of(Users.uniform(keys), keys));
  }

  private static Workload checkpointed(String id, String title, int keys, boolean onDisk) {
    return new Workload(
        id,
        title,
        Measure.THROUGHPUT,
        new Shape.CheckpointedCount(onDisk),
        Input.of(Users.uniform(keys), keys));
  }

  private static Workload counts(
      String id, String title, Measure measure, Input input, boolean onDisk) {
    return new Workload(id, title, measure, new Shape.CheckpointedCount(onDisk), input);
  }

  /** Each key once, over and over. */
  private static Input everyOne(int keys) {
    return Input.of(Users.everyOne(keys), keys);
  }

  /** Each key once, then all equally often. */
  private static Input loaded(int keys) {
    return Input.of(Users.allBefore(keys, Users.uniform(keys)), keys);
  }

  /** Texts of 1,000 bytes, 1.3 GB of them; each key once, then as {@code users} says. */
  private static Workload larger(String id, String title, IntFunction<Users> users) {
    int keys = 1_300_000;
    Users later = Users.lazily(() -> users.apply(keys));
    return new Workload(
        id,
        title,
        Measure.THROUGHPUT,
        new Shape.LatestText(1_000, true),
        Input.of(Users.allBefore(keys, later), keys));
  }

  private static Workload sliding(String id, String title, int slideMillis) {
    return new Workload(
        id,
        title,
        Measure.THROUGHPUT,
        new Shape.TimeWindows(10_000, slideMillis),
        Input.of(Users.uniform(1_000), 1_000));
  }

  private static Workload sessions(String id, String title) {
    Input input = Input.of(Users.bursts(), 10_000);
    return new Workload(id, title, Measure.THROUGHPUT, new Shape.Sessions(500), input);
  }

  private static Workload chain(int length) {
    return stateless("chain-" + length, length + " maps and filters", new Shape.Chain(length));
  }

  private static Workload memory(String id, String title, boolean byName) {
    return new Workload(
        id, title, Measure.MEMORY, new Shape.RunningCount(byName), everyOne(5_000_000));
  }

  private static Workload restore() {
    return new Workload(
        "restore-100b",
        "latest text of 100 bytes for each of 4 M keys: start from a checkpoint",
        Measure.RESTORE,
        new Shape.LatestText(100, false),
        everyOne(4_000_000));
  }

  private static Workload windows(String id, String title, Users users) {
    return new Workload(
        id, title, Measure.THROUGHPUT, TUMBLING, new Input(users, 10_000, OUT_OF_ORDER));
  }
}
