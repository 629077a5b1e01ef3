package io.streamforge.connector.channel;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.source.CursorReader;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitCursor;
import io.streamforge.source.SplitEnumerator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A source that the application itself feeds while the job runs. Any number of threads may send;
 * records of one thread keep their order. The input ends when the channel is closed.
 *
 * <p>A channel is read by one job, once: another use of it is {@link ErrorCode#SOURCE_REUSED}. It
 * holds at most {@code capacity} records. When the job has ended, for whatever reason, sending
 * fails with {@link ErrorCode#JOB_STOPPED}, also for those who are waiting for room.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class InMemoryChannel<K, V> implements Source<K, V> {
  /*
   * A ring under one lock. The reader takes the lock twice a read and not once a record: the slots
   * that it saw filled are its own until it lowers `count` again.
   */
  private record Slot<K, V>(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {}

  private final boolean timestamps;
  private final AtomicBoolean used = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final @Nullable Slot<K, V>[] ring;
  private int head;
  private int count;
  private long taken;
  private boolean closed;
  private boolean abandoned;
  private boolean readerWaits;
  private Runnable wake = () -> {};

  @SuppressWarnings({"unchecked", "rawtypes"}) // An array of a generic type.
  private InMemoryChannel(int capacity, boolean timestamps) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1: " + capacity);
    }
    this.ring = new Slot[capacity];
    this.timestamps = timestamps;
  }

  /** A channel of records without timestamps: a timestamp extractor gives them, if needed. */
  public static <K, V> InMemoryChannel<K, V> of(int capacity) {
    return new InMemoryChannel<>(capacity, false);
  }

  /** A channel of records with timestamps of their own. */
  public static <K, V> InMemoryChannel<K, V> timestamped(int capacity) {
    return new InMemoryChannel<>(capacity, true);
  }

  /** Sends a record without timestamp, waiting for room. */
  public void send(@Nullable K key, @Nullable V value) throws InterruptedException {
    send(untimed(key, value));
  }

  /** Sends a record, waiting for room. */
  public void send(Record<K, V> record) throws InterruptedException {
    send(slot(record));
  }

  private void send(Slot<K, V> slot) throws InterruptedException {
    boolean waking;
    lock.lockInterruptibly();
    try {
      checkOpen();
      while (count == ring.length) {
        room.await();
        checkOpen();
      }
      waking = add(slot);
    } finally {
      lock.unlock();
    }
    if (waking) {
      wake.run();
    }
  }

  /** Sends a record without timestamp unless the channel is full; returns whether it was sent. */
  public boolean offer(@Nullable K key, @Nullable V value) {
    return offer(untimed(key, value));
  }

  /** Sends a record unless the channel is full; returns whether it was sent. */
  public boolean offer(Record<K, V> record) {
    return offer(slot(record));
  }

  private boolean offer(Slot<K, V> slot) {
    boolean waking;
    lock.lock();
    try {
      checkOpen();
      if (count == ring.length) {
        return false;
      }
      waking = add(slot);
    } finally {
      lock.unlock();
    }
    if (waking) {
      wake.run();
    }
    return true;
  }

  private Slot<K, V> untimed(@Nullable K key, @Nullable V value) {
    if (timestamps) {
      throw new IllegalArgumentException(
          "the records of this channel have timestamps; send a Record, or make the channel with"
              + " InMemoryChannel.of");
    }
    return new Slot<>(key, value, RecordOutput.NO_TIMESTAMP, null);
  }

  private Slot<K, V> slot(Record<K, V> record) {
    return new Slot<>(
        record.key(),
        record.value(),
        timestamps ? record.timestampMillis() : RecordOutput.NO_TIMESTAMP,
        record.headers());
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("nothing can be sent: this channel has been closed");
    }
    if (abandoned) {
      throw new StreamForgeException(
          ErrorCode.JOB_STOPPED,
          ErrorContext.NONE,
          "nothing can be sent: the job that read this channel has ended",
          "See how the job ended; make a new channel for another start.",
          null);
    }
  }

  private boolean add(Slot<K, V> slot) {
    int tail = head + count;
    ring[tail < ring.length ? tail : tail - ring.length] = slot;
    count++;
    return takeWaiting();
  }

  private boolean takeWaiting() {
    boolean waking = readerWaits;
    readerWaits = false;
    return waking;
  }

  /**
   * Ends the input after what has been sent; further calls have no effect. Those who are still
   * waiting for room fail.
   */
  public void close() {
    boolean waking;
    lock.lock();
    try {
      closed = true;
      room.signalAll();
      waking = takeWaiting();
    } finally {
      lock.unlock();
    }
    if (waking) {
      wake.run();
    }
  }

  private void abandon() {
    lock.lock();
    try {
      abandoned = true;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    if (!used.compareAndSet(false, true)) {
      throw new StreamForgeException(
          ErrorCode.SOURCE_REUSED,
          ErrorContext.node(context.node()),
          "this channel is already read by another source node, or was by an earlier run");
    }
    return new SplitEnumerator() {
      private boolean found;

      @Override
      public List<Split> discover() {
        List<Split> splits = found ? List.of() : List.of(new Split("channel", 0));
        found = true;
        return splits;
      }

      @Override
      public void close() {
        abandon();
      }
    };
  }

  @Override
  public SourceReader<K, V> reader(SourceContext context) {
    return new CursorReader<>(false, 60_000, split -> new Cursor(context.wake()));
  }

  private final class Cursor implements SplitCursor<K, V> {
    Cursor(Runnable wake) {
      lock.lock();
      try {
        InMemoryChannel.this.wake = wake;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public ReadStatus read(RecordOutput<K, V> output, int split, int limit) {
      int filled = filled();
      if (filled == 0) {
        return closedAndEmpty() ? ReadStatus.ENDED : ReadStatus.WAITING;
      }
      int emitted = 0;
      int at = head;
      try {
        int most = Math.min(filled, limit);
        while (emitted < most && !output.full()) {
          Slot<K, V> slot = ring[at];
          ring[at] = null;
          at = at + 1 == ring.length ? 0 : at + 1;
          emitted++;
          if (slot != null) {
            output.emit(
                split, slot.key, slot.value, slot.timestampMillis, slot.headers, taken + emitted);
          }
        }
        output.backlog(split, filled - emitted);
      } finally {
        release(at, emitted);
      }
      return ReadStatus.MORE;
    }

    @Override
    public void close() {
      abandon();
    }
  }

  private int filled() {
    lock.lock();
    try {
      readerWaits = count == 0 && !closed;
      return count;
    } finally {
      lock.unlock();
    }
  }

  private boolean closedAndEmpty() {
    lock.lock();
    try {
      return closed && count == 0;
    } finally {
      lock.unlock();
    }
  }

  private void release(int newHead, int emitted) {
    lock.lock();
    try {
      head = newHead;
      count -= emitted;
      taken += emitted;
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean hasTimestamps() {
    return timestamps;
  }

  @Override
  public String describe() {
    return "channel of capacity " + ring.length;
  }
}
