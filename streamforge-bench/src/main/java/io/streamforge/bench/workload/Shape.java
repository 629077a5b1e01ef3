package io.streamforge.bench.workload;

/** What is computed. */
public sealed interface Shape {
  /** Map, a filter that half of the records pass, map, a flatMap that doubles them. */
  record Stateless() implements Shape {}

  /**
   * Maps and filters in turn, {@code length} of them; each map makes a new number, and practically
   * all records pass.
   */
  record Chain(int length) implements Shape {}

  /**
   * W1 with functions that make no objects: what is allocated then is the engine's doing. Only a
   * topology.
   */
  record CachedStateless() implements Shape {}

  /**
   * A count for each key; an update for every record.
   *
   * @param byName whether the key is the user's name rather than number
   */
  record RunningCount(boolean byName) implements Shape {}

  /**
   * A count for each key by number, an update for every record, with a checkpoint a second to local
   * disk and a sink whose output is committed with them.
   *
   * @param onDisk whether the counts are in RocksDB
   */
  record CheckpointedCount(boolean onDisk) implements Shape {}

  /** Every record is sent to the task of its key and on to the sink. Only a topology. */
  record Exchange() implements Shape {}

  /** A count for each key by number, for a sink that takes so many records a second. */
  record ThrottledCount(int recordsPerSecond) implements Shape {}

  /**
   * The latest text of each key by number, an update for every record. Only topologies and Flink.
   *
   * @param length in characters
   * @param onDisk whether the texts are in RocksDB
   */
  record LatestText(int length, boolean onDisk) implements Shape {}

  /** Count and sum for each key in windows; tumbling ones when the slide is the size. */
  record TimeWindows(int sizeMillis, int slideMillis) implements Shape {}

  /** Count and sum for each key in sessions. */
  record Sessions(int gapMillis) implements Shape {}
}
