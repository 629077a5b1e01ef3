package io.streamforge.runtime.source;

import io.streamforge.runtime.channel.Channel;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Waker;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls a blocking reader on I/O threads and sends what it reads to the task, as far as the task
 * has given batches back.
 */
final class Fetcher {
  /** One is filled while another is drained. */
  private static final int BATCHES = 2;

  private final SourceReader<Object, Object> reader;
  private final Consumer<Throwable> onFailure;
  private final Channel<FetchBatch> channel;
  private final SerialWork work;
  private final ConcurrentLinkedQueue<Split> added = new ConcurrentLinkedQueue<>();
  private volatile boolean[] paused = {};
  private volatile boolean closing;
  private volatile boolean closed;
  private volatile boolean waiting;
  private @Nullable FetchBatch spare;

  Fetcher(
      SourceReader<Object, Object> reader,
      int batchSize,
      Scheduler scheduler,
      String name,
      Waker task,
      Consumer<Throwable> onFailure) {
    this.reader = reader;
    this.onFailure = onFailure;
    this.work = new SerialWork(scheduler, name, this::fetch);
    this.channel = new Channel<>(BATCHES, () -> new FetchBatch(batchSize), () -> new FetchBatch(1));
    channel.connect(work, task);
  }

  Channel<FetchBatch> channel() {
    return channel;
  }

  /** Task: one more split to read. */
  void add(Split split) {
    added.add(split);
    work.wake();
  }

  /** Task: which splits not to read. */
  void paused(boolean[] pausedSplits) {
    paused = pausedSplits;
    reader.wakeUp();
    work.wake();
  }

  /** Any thread: there may be something to read. */
  void wake() {
    waiting = false;
    work.wake();
  }

  /** Whether the reader had nothing more to read when it was last called. */
  boolean waiting() {
    return waiting;
  }

  /** Task: reads no more, and closes the reader when it is not being called. */
  void close() {
    closing = true;
    reader.wakeUp();
    work.wake();
  }

  private void fetch() {
    try {
      if (closing) {
        if (!closed) {
          closed = true;
          reader.close();
        }
        return;
      }
      for (Split split; (split = added.poll()) != null; ) {
        reader.add(split);
      }
      FetchBatch batch = spare != null ? spare : channel.takeCredit();
      spare = null;
      if (batch == null) {
        return;
      }
      batch.begin(paused);
      ReadStatus status = reader.read(batch);
      waiting = status != ReadStatus.MORE;
      if (batch.size == 0) {
        spare = batch;
      } else {
        channel.send(batch);
      }
      if (status == ReadStatus.MORE) {
        work.wake();
      }
    } catch (Throwable e) {
      if (!closing) {
        closing = true;
        onFailure.accept(e);
      }
      if (!closed) {
        closed = true;
        closeQuietly(e);
      }
    }
  }

  private void closeQuietly(Throwable failure) {
    try {
      reader.close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
  }
}
