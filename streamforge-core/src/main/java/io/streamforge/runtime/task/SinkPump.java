package io.streamforge.runtime.task;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Waker;
import io.streamforge.sink.SinkWriter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a task hands it, on I/O threads. It is the receiving end of a channel like any other:
 * a slow sink gives batches back slowly, and the task waits.
 */
public final class SinkPump {
  private static final Logger LOG = LoggerFactory.getLogger(SinkPump.class);

  /** Batches that are written in one go before the thread is given back. */
  private static final int BATCHES = 16;

  /** How the writer is left. */
  private enum Ending {
    /** Not at all yet. */
    NONE,
    /** The job is cancelled: what was written is complete. */
    FINISH,
    /** The job has failed: what is incomplete is dropped. */
    DROP
  }

  private final String node;
  private final String task;
  private final JobControl control;
  private final SinkWriter<Object, Object> writer;
  private final Channel<Batch> channel;
  private final SerialWork work;
  private volatile Ending ending = Ending.NONE;
  private volatile boolean tickDue;
  private volatile boolean closed;
  private final AtomicBoolean completed = new AtomicBoolean();
  private boolean unflushed;

  /** Between a channel and a writer. */
  public SinkPump(
      String node,
      String task,
      JobControl control,
      SinkWriter<Object, Object> writer,
      Channel<Batch> channel,
      Scheduler scheduler) {
    this.node = node;
    this.task = task;
    this.control = control;
    this.writer = writer;
    this.channel = channel;
    this.work = new SerialWork(scheduler, "write " + node, this::run);
  }

  /** Wakes the pump. */
  public Waker waker() {
    return work;
  }

  /** About once a second, from any thread. */
  public void tick() {
    tickDue = true;
    work.wake();
  }

  /** Writes no more; any thread. */
  public void stop(boolean failed) {
    ending = failed ? Ending.DROP : Ending.FINISH;
    work.wake();
  }

  private void run() {
    if (closed) {
      return;
    }
    Batch batch = null;
    int at = 0;
    try {
      if (ending != Ending.NONE) {
        end(ending == Ending.FINISH);
        return;
      }
      if (tickDue) {
        tickDue = false;
        writer.tick();
      }
      for (int i = 0; i < BATCHES && ending == Ending.NONE; i++) {
        batch = channel.poll();
        if (batch == null) {
          flush();
          return;
        }
        for (at = 0; at < batch.size && ending == Ending.NONE; at++) {
          writer.write(batch.keys[at], batch.values[at], batch.timestamps[at], batch.headers(at));
          unflushed = true;
        }
        boolean last = batch.end;
        giveBack(batch);
        batch = null;
        if (last) {
          end(true);
          return;
        }
      }
      work.wake();
    } catch (Throwable e) {
      fail(e, batch != null && at < batch.size ? record(batch, at) : null);
    }
  }

  private static Record<?, ?> record(Batch batch, int at) {
    return new Record<>(batch.keys[at], batch.values[at], batch.timestamps[at], batch.headers(at));
  }

  private void flush() throws Exception {
    if (unflushed) {
      unflushed = false;
      writer.flush();
    }
  }

  private void giveBack(Batch batch) {
    batch.clear();
    if (batch.control) {
      channel.giveBackCarrier(batch);
    } else {
      channel.giveBack(batch);
    }
  }

  private void end(boolean complete) throws Exception {
    closed = true;
    try (writer) {
      if (complete) {
        writer.finish();
      }
    }
    complete();
  }

  private void fail(Throwable e, @Nullable Record<?, ?> record) {
    if (ending == Ending.NONE || closed) {
      ErrorContext context =
          new ErrorContext(
              control.job(), node, task, null, record == null ? null : Rendering.shortened(record));
      control.failed(
          e instanceof StreamForgeException known
              ? known.within(context)
              : new StreamForgeException(
                  ErrorCode.SINK_FAILED, context, "the sink failed: " + Rendering.cause(e), e));
    }
    abandon();
    // Only now: the job that has ended is either finished or failed.
    complete();
  }

  private void complete() {
    if (completed.compareAndSet(false, true)) {
      control.completed();
    }
  }

  /** Closes a writer that no thread uses any more. */
  public void abandon() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      writer.close();
    } catch (Exception e) {
      // The job has failed already; its cause is what counts.
      LOG.debug("sink '{}' could not be closed", node, e);
    } finally {
      complete();
    }
  }
}
