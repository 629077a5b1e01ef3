package io.streamforge.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

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

  private static volatile Feed current = new Feed(0, false, 0, start -> {});

  private volatile long limit;
  private final boolean holding;
  private final long recordsPerSecond;
  private final LongConsumer windowResults;
  private final AtomicLong startNanos = new AtomicLong();
  private final List<AtomicLong> readers = new ArrayList<>();
  private final List<AtomicLong> writers = new ArrayList<>();
  private final LongAdder checksum = new LongAdder();
  private final LongAdder restored = new LongAdder();
  private final Standstills standstills = new Standstills(System::nanoTime);
  private volatile boolean stopped;

  private Feed(long limit, boolean holding, long recordsPerSecond, LongConsumer windowResults) {
    this.limit = limit;
    this.holding = holding;
    this.recordsPerSecond = recordsPerSecond;
    this.windowResults = windowResults;
  }

  /** A new run over the first {@code limit} records. */
  public static Feed begin(long limit) {
    return begin(new Feed(limit, false, 0, start -> {}));
  }

  /** A new run whose sources, behind the first {@code limit} records, wait until it is stopped. */
  public static Feed beginHolding(long limit) {
    return begin(new Feed(limit, true, 0, start -> {}));
  }

  /**
   * A new endless run in which every record has a time at which it is sent, whatever became of
   * those before.
   *
   * @param windowResults told the start of the window of every result
   */
  public static Feed beginPaced(long recordsPerSecond, LongConsumer windowResults) {
    return begin(new Feed(ENDLESS, false, recordsPerSecond, windowResults));
  }

  private static Feed begin(Feed feed) {
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

  /** Lets the sources of a holding run read further. */
  public void extend(long newLimit) {
    limit = newLimit;
  }

  /** A source goes on behind so many of its records. */
  void restored(long records) {
    restored.add(records);
  }

  /** Behind how many records the sources of this run have gone on from an earlier process. */
  public long restored() {
    return restored.sum();
  }

  /** When outputs stood still, of sinks that watch it. */
  public Standstills standstills() {
    return standstills;
  }

  /** Index of the first record that is not to be read yet. */
  long available() {
    if (recordsPerSecond == 0) {
      return limit;
    }
    double seconds = (System.nanoTime() - startNanos()) / 1e9;
    return Math.min(limit, (long) (seconds * recordsPerSecond));
  }

  /** Whether a source that has read so far waits for more. */
  boolean waits(long next) {
    return holding || next < limit;
  }

  /** When a paced run was first asked for records. */
  public long startNanos() {
    if (startNanos.get() == 0) {
      startNanos.compareAndSet(0, System.nanoTime());
    }
    return startNanos.get();
  }

  /** A result has reached the sink. */
  public void windowResult(long startMillis) {
    windowResults.accept(startMillis);
  }

  /** A counter for one more source. */
  public AtomicLong reader() {
    return counter(readers);
  }

  /** A counter for one more task of a sink. */
  public AtomicLong writer() {
    return counter(writers);
  }

  private static AtomicLong counter(List<AtomicLong> counters) {
    AtomicLong counter = new AtomicLong();
    synchronized (counters) {
      counters.add(counter);
    }
    return counter;
  }

  private static long sum(List<AtomicLong> counters) {
    synchronized (counters) {
      return counters.stream().mapToLong(AtomicLong::get).sum();
    }
  }

  /** Records read by all sources so far, give or take a chunk each. */
  public long read() {
    return sum(readers);
  }

  /** Outputs that have reached the sinks, give or take a chunk each while the job runs. */
  public long outputs() {
    return sum(writers);
  }

  /** Adds what a task of the sink has seen. */
  void add(long hashes) {
    checksum.add(hashes);
  }

  /** Sum of the hashes, when the run has ended. */
  public long checksum() {
    return checksum.sum();
  }
}
