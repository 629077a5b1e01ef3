package io.streamforge.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The run that is under way in this JVM: how far its sources may read, how far they are, and the
 * sum of the hashes of its outputs. Static, because some engines copy their sources by serializing
 * them.
 */
public final class Feed {
  /** How many indexes a source takes at a time. */
  public static final int CHUNK = 1024;

  /** A limit that no run reaches. */
  public static final long ENDLESS = Long.MAX_VALUE / 2;

  private static volatile Feed current = new Feed(0);

  private final long limit;
  private final List<AtomicLong> counts = new ArrayList<>();
  private final LongAdder checksum = new LongAdder();
  private final LongAdder outputs = new LongAdder();
  private volatile boolean stopped;

  private Feed(long limit) {
    this.limit = limit;
  }

  /** A new run over the first {@code limit} records. */
  public static Feed begin(long limit) {
    Feed feed = new Feed(limit);
    current = feed;
    return feed;
  }

  /** The run under way. */
  public static Feed current() {
    return current;
  }

  /** The sources end as if there were no more records. */
  public void stop() {
    stopped = true;
  }

  /** Whether they shall end. */
  public boolean stopped() {
    return stopped;
  }

  /** Index of the first record that is not read. */
  public long limit() {
    return limit;
  }

  /** A counter for one more source. */
  public AtomicLong counter() {
    AtomicLong count = new AtomicLong();
    synchronized (counts) {
      counts.add(count);
    }
    return count;
  }

  /** Records read by all sources so far, give or take a chunk each. */
  public long read() {
    synchronized (counts) {
      return counts.stream().mapToLong(AtomicLong::get).sum();
    }
  }

  /** Adds what a task of the sink has seen. */
  public void add(long hashes, long count) {
    checksum.add(hashes);
    outputs.add(count);
  }

  /** Sum of the hashes, when the run has ended. */
  public long checksum() {
    return checksum.sum();
  }

  /** Number of outputs that have been added. */
  public long outputs() {
    return outputs.sum();
  }
}
