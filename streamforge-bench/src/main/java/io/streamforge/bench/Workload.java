package io.streamforge.bench;

import io.streamforge.Topology;
import java.util.List;

/**
 * The same computation twice: as a topology, and as the loop that somebody would write who needs
 * nothing else. Both make their input from the index of a record and add up the same checksum over
 * their outputs, in whatever order these come.
 */
sealed interface Workload permits Stateless, KeyedCount, TumblingWindows {
  /** All of them. */
  List<Workload> ALL = List.of(new Stateless(), new KeyedCount(), new TumblingWindows());

  /** Short name, such as {@code W1}. */
  String id();

  /** What it computes, in a few words. */
  String title();

  /** The topology over the first {@code records} records. */
  Topology topology(long records, Checksum checksum);

  /** The checksum of the first {@code records} records, by hand on so many threads. */
  long byHand(long records, int threads);
}
