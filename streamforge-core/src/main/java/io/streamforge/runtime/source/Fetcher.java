package io.streamforge.runtime.source;

import io.streamforge.runtime.channel.Channel;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Waker;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.specialise.Specialised;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls a blocking reader on I/O threads and sends what it reads to the task, as far as the task
 * has given batches back.
 */
@Specialised
final class Fetcher {
  /** One is filled while another is drained. */
  private static final int BATCHES = 2;

  private final SourceReader<Object, Object> reader;
  private final Consumer<Throwable> onFailure;
  private final Channel<FetchBatch> channel;
  private final SerialWork work;
  private final ConcurrentLinkedQueue<Split> added = new ConcurrentLinkedQueue<>();
  private volatile boolean[] paused = {};
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Waker task;
  private volatile boolean closing;
  private volatile boolean emptyHanded;
  private volatile boolean resting;
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
    this.task = task;
    this.channel =
        new Channel<>(
            BATCHES,
            () -> new FetchBatch(batchSize, () -> emptyHanded = false),
            () -> new FetchBatch(1, () -> {}));
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
    resting = false;
    work.wake();
  }

  /**
   * Task: whether the reader has nothing, having been asked or while it still waits for something.
   * Asked before the channel is found empty, it means that no record has been read that the task
   * has not got. The task is woken when it becomes true.
   */
  boolean emptyHanded() {
    return emptyHanded;
  }

  /** Task: whether the reader is left alone until it is woken. The task is woken with it. */
  boolean resting() {
    return resting;
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
        release();
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
      resting = false;
      setEmptyHanded();
      ReadStatus status = reader.read(batch);
      if (batch.size == 0) {
        spare = batch;
      } else {
        channel.send(batch);
      }
      if (status == ReadStatus.MORE) {
        emptyHanded = false;
        work.wake();
      } else {
        resting = status == ReadStatus.WAITING;
        emptyHanded = true;
        task.wake();
      }
    } catch (Throwable e) {
      if (!closing) {
        closing = true;
        onFailure.accept(e);
      }
      try {
        release();
      } catch (Exception suppressed) {
        e.addSuppressed(suppressed);
      }
    }
  }

  private void setEmptyHanded() {
    if (!emptyHanded) {
      emptyHanded = true;
      task.wake();
    }
  }

  /** Closes the reader, unless that has been done; when no thread calls it any more. */
  void release() throws Exception {
    closing = true;
    if (closed.compareAndSet(false, true)) {
      reader.close();
    }
  }
}
