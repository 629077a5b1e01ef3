package io.streamforge.runtime.task;

import io.streamforge.checkpoint.FrameWriter;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Segment;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Waker;
import io.streamforge.serde.ByteWriter;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the state of one task for one checkpoint as an object, on I/O threads. Each chunk is
 * preceded by its length, as four bytes, so that it is read as it was written; each part is a
 * segment of its own.
 */
final class SnapshotUpload {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotUpload.class);

  /** Bytes that wait for the storage before the task is told to wait. */
  private static final long MAX_WAITING_BYTES = 4 << 20;

  /**
   * Something to write.
   *
   * @param part which part it belongs to
   */
  private record Chunk(int part, byte[] bytes) {}

  private static final Chunk END = new Chunk(-1, new byte[0]);

  private final LogOwner owner;
  private final String object;
  private final Waker task;
  private final Consumer<Map<Integer, Segment>> onWritten;
  private final Consumer<Throwable> onFailure;
  private final SerialWork work;
  private final Queue<Chunk> chunks = new ConcurrentLinkedQueue<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean abandoned;
  private volatile boolean ended;

  /** Held by whoever is at the writer: an I/O thread, or the one that closes the job. */
  private final Lock atWriter = new ReentrantLock();

  // Of whoever holds the lock.
  private final Map<Integer, Segment> segments = new HashMap<>();
  private final ByteWriter length = new ByteWriter();
  private @Nullable FrameWriter writer;
  private int part;

  /**
   * Begins nothing yet. One of the two consumers is told once, on an I/O thread, how it has ended;
   * neither when it was abandoned.
   *
   * @param task is woken when it may go on
   * @param onWritten takes the segments of the parts that had chunks
   */
  SnapshotUpload(
      LogOwner owner,
      String object,
      Scheduler scheduler,
      Waker task,
      Consumer<Map<Integer, Segment>> onWritten,
      Consumer<Throwable> onFailure) {
    this.owner = owner;
    this.object = object;
    this.task = task;
    this.onWritten = onWritten;
    this.onFailure = onFailure;
    this.work = new SerialWork(scheduler, "write " + object, this::run);
  }

  /** Task: appends to a part, which is the one of the last call or comes behind it. */
  void write(int toPart, byte[] chunk) {
    waitingBytes.addAndGet(chunk.length);
    chunks.add(new Chunk(toPart, chunk));
    work.wake();
  }

  /** Task: there is no more. */
  void end() {
    chunks.add(END);
    work.wake();
  }

  /** Task: whether the storage is behind; the task is woken when it is not any more. */
  boolean saturated() {
    return waitingBytes.get() > MAX_WAITING_BYTES;
  }

  /** Any thread: writes no more. */
  void abandon() {
    abandoned = true;
    work.wake();
  }

  /**
   * The thread that closes the job, when no more work is run on I/O threads: writes no more and
   * releases the writer, unless an I/O thread is still in a call of the storage. That one releases
   * it, should the call ever return.
   */
  void release() {
    abandoned = true;
    closeIfAbandoned();
  }

  private void closeIfAbandoned() {
    // Whoever finds the lock taken leaves it to its holder, who looks again when it has given it
    // back.
    while (abandoned && !ended && atWriter.tryLock()) {
      try {
        close();
      } finally {
        atWriter.unlock();
      }
    }
  }

  private void run() {
    atWriter.lock();
    try {
      writeChunks();
    } finally {
      atWriter.unlock();
    }
    closeIfAbandoned();
  }

  private void writeChunks() {
    if (ended) {
      return;
    }
    try {
      for (Chunk chunk; !abandoned && (chunk = chunks.poll()) != null; ) {
        if (chunk.part != part) {
          endPart();
          part = chunk.part;
        }
        if (chunk == END) {
          finish();
          return;
        }
        append(chunk.bytes);
      }
    } catch (Throwable e) {
      boolean silent = abandoned;
      close();
      if (!silent) {
        onFailure.accept(e);
      }
    }
  }

  private void append(byte[] bytes) throws IOException {
    FrameWriter output = writer;
    if (output == null) {
      output = owner.write(object);
      writer = output;
    }
    length.reset();
    length.writeInt(bytes.length);
    output.write(length.buffer(), 0, length.size());
    output.write(bytes, 0, bytes.length);
    long before = waitingBytes.getAndAdd(-bytes.length);
    if (before > MAX_WAITING_BYTES && before - bytes.length <= MAX_WAITING_BYTES) {
      task.wake();
    }
  }

  private void endPart() throws IOException {
    FrameWriter output = writer;
    Segment segment = output == null ? null : output.endSegment();
    if (segment != null && segment.length() > 0) {
      segments.put(part, segment);
    }
  }

  private void finish() throws IOException {
    FrameWriter output = writer;
    if (output != null) {
      output.finish();
    }
    close();
    onWritten.accept(segments);
  }

  private void close() {
    ended = true;
    chunks.clear();
    FrameWriter output = writer;
    writer = null;
    if (output != null) {
      try {
        output.close();
      } catch (IOException e) {
        // It has been completed, or is one that nobody refers to: clean-up finds it.
        LOG.debug("{} could not be closed", object, e);
      }
    }
  }
}
