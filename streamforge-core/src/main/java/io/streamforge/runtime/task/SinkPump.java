package io.streamforge.runtime.task;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Rejections;
import io.streamforge.record.Record;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.Waker;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.SinkWriter;
import io.streamforge.time.Clock;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a task hands it, on I/O threads. It is the receiving end of a channel like any other:
 * a slow sink gives batches back slowly, and the task waits.
 *
 * <p>In a job with checkpoints it is told of them by the barriers behind the records and, once
 * those have ended, by the coordinator; and it commits what has been published.
 */
public final class SinkPump implements CheckpointPart {
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
  private final int index;
  private final JobControl control;

  /** Null in a job without checkpoints. */
  private final @Nullable CheckpointControl checkpoints;

  private final Clock clock;
  private final long commitNanos;
  private final WriterFactory factory;
  private final Channel<Batch> channel;
  private final SerialWork work;

  /** Null where a record that is rejected fails the job. */
  private final @Nullable PumpRejections rejections;

  private final Queue<Letter> letters = new ConcurrentLinkedQueue<>();
  private volatile Ending ending = Ending.NONE;
  private volatile boolean tickDue;
  private volatile boolean closed;
  private final AtomicBoolean completed = new AtomicBoolean();
  private boolean unflushed;

  /** Null until it is opened. */
  private @Nullable SinkWriter<Object, Object> writer;

  /** Null where it is not one whose output is committed. */
  private @Nullable WriterCommits commits;

  /** The last checkpoint that was published, and the last of which the commit was reported. */
  private long publishedUpTo;

  private long reportedUpTo;
  private long commitFailingSince = Long.MIN_VALUE;

  /** Of the last checkpoint that it has come to; null: to none. */
  private volatile @Nullable ProgressLog progress;

  /** What came behind the last batch and is still to be done. */
  private long barrierDue;

  private boolean endDue;

  /** Whether the writer has been told that nothing more comes. */
  private boolean finished;

  private boolean ended;
  private boolean lastPublished;

  /**
   * What a sink with an error policy other than to fail does with what it rejects.
   *
   * @param of the sink, and what is known of its records
   * @param letters where they go; null: they are skipped
   */
  public record Rejecting(NodeRejections.Rejecting of, @Nullable DeadLetters letters) {}

  /**
   * The way to the pump that writes the dead letters.
   *
   * @param node the node that takes them
   * @param output the sending end of the channel to its pump
   * @param connecting is given who is to be woken when there is room again
   */
  public record DeadLetters(String node, TaskOutput output, Consumer<Waker> connecting) {}

  /** Opens the writer. */
  @FunctionalInterface
  public interface WriterFactory {
    /** The writer of the task. */
    SinkWriter<Object, Object> open();
  }

  /**
   * Between a channel and a writer, which {@link #open} opens.
   *
   * @param task id of the task
   * @param index of the task within its stage
   * @param checkpoints null in a job without checkpoints
   * @param commitNanos for how long a commit is tried again before the job fails
   * @param rejecting null where a record that is rejected fails the job
   */
  public SinkPump(
      String node,
      String task,
      int index,
      JobControl control,
      @Nullable CheckpointControl checkpoints,
      long commitNanos,
      WriterFactory factory,
      Channel<Batch> channel,
      @Nullable Rejecting rejecting,
      Scheduler scheduler) {
    this.node = node;
    this.task = task;
    this.index = index;
    this.control = control;
    this.checkpoints = checkpoints;
    this.clock = scheduler.clock();
    this.commitNanos = commitNanos;
    this.factory = factory;
    this.channel = channel;
    this.work = new SerialWork(scheduler, "write " + node, this::run);
    this.rejections = rejecting == null ? null : new PumpRejections(rejecting, clock);
    if (rejections != null) {
      rejections.connect(work);
    }
  }

  /**
   * What is counted here of a node: records that were booked as processed and are rejected when
   * they are written, and dead letters; null: nothing.
   */
  public @Nullable NodeCounters counters(String of) {
    return rejections == null ? null : rejections.counters(of);
  }

  /**
   * Opens the writer; before anything runs.
   *
   * @param marker the last checkpoint that it is known to have committed; 0: none
   */
  public void open(long marker) {
    SinkWriter<Object, Object> opened = factory.open();
    writer = opened;
    if (checkpoints != null && opened instanceof CommittingWriter<Object, Object> both) {
      commits = new WriterCommits(node, index, both, marker);
    }
  }

  /** The node that it writes for. */
  public String node() {
    return node;
  }

  /** Index of its task. */
  public int index() {
    return index;
  }

  @Override
  public String id() {
    return "writer of " + node + " in " + task;
  }

  @Override
  public boolean isSource() {
    return false;
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

  @Override
  public void trigger(long checkpoint) {
    send(
        () -> {
          if (ended) {
            ProgressLog log = new ProgressLog(clock, subject(), checkpoint, false);
            log.spent(Activity.ELSEWHERE, null, 0);
            prepare(checkpoint, log);
          }
        });
  }

  @Override
  public void overtake(long checkpoint) {
    // What it was sent before has to be written before it prepares.
  }

  @Override
  public void hold(boolean held) {
    // It does not read.
  }

  @Override
  public void published(long checkpoint, boolean last) {
    send(
        () -> {
          lastPublished |= last;
          publishedUpTo = checkpoint;
          commit();
        });
  }

  @Override
  public void abandoned(long checkpoint) {
    // What was prepared for it stays uncommitted, and is carried into the next one.
  }

  private interface Letter {
    void run() throws Exception;
  }

  private void send(Letter letter) {
    letters.add(letter);
    work.wake();
  }

  private SinkWriter<Object, Object> writer() {
    if (writer == null) {
      throw new IllegalStateException("the writer of '" + node + "' has not been opened");
    }
    return writer;
  }

  private void run() {
    if (closed) {
      return;
    }
    Batch batch = null;
    int at = 0;
    try {
      if (ending != Ending.NONE) {
        close(ending == Ending.FINISH && commits == null && !finished);
        return;
      }
      for (Letter letter; (letter = letters.poll()) != null; ) {
        letter.run();
      }
      if (tickDue) {
        tickDue = false;
        if (!finished) {
          writer().tick();
        }
        commit();
      }
      if (ended) {
        closeWhenCommitted();
        return;
      }
      for (int i = 0; i < BATCHES && ending == Ending.NONE; i++) {
        if (!controlled()) {
          return;
        }
        batch = channel.poll();
        if (batch == null) {
          flush();
          return;
        }
        for (at = 0; at < batch.size && ending == Ending.NONE; at++) {
          write(batch, at);
        }
        if (at < batch.size) {
          break;
        }
        barrierDue = batch.barrier;
        endDue = batch.end;
        giveBack(batch);
        batch = null;
      }
      if (controlled()) {
        work.wake();
      }
    } catch (Throwable e) {
      fail(e, batch != null && at < batch.size ? record(batch, at) : null);
    }
  }

  private void write(Batch batch, int at) throws Exception {
    unflushed = true;
    try {
      writer().write(batch.keys[at], batch.values[at], batch.timestamps[at], batch.headers(at));
    } catch (Exception e) {
      if (rejections == null || !writer().refuses(e) || !Rejections.covers(e)) {
        throw e;
      }
      rejections.reject(batch, at, e);
    }
  }

  /**
   * Does what came behind the last batch, once the dead letters before it have found room; whether
   * the next batch may be taken. If not, the pump is woken when it may go on.
   */
  private boolean controlled() throws Exception {
    if (rejections != null && !rejections.drained()) {
      return false;
    }
    if (barrierDue != 0) {
      long checkpoint = barrierDue;
      barrierDue = 0;
      barrier(checkpoint);
      if (rejections != null) {
        rejections.barrier(checkpoint);
        if (!rejections.drained()) {
          return false;
        }
      }
    }
    if (endDue) {
      end();
      return false;
    }
    return true;
  }

  private static Record<?, ?> record(Batch batch, int at) {
    return new Record<>(batch.keys[at], batch.values[at], batch.timestamps[at], batch.headers(at));
  }

  private void flush() throws Exception {
    if (unflushed) {
      unflushed = false;
      writer().flush();
      if (rejections != null) {
        rejections.flush();
      }
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

  private String subject() {
    return "the writer of '" + node + "' in task " + task;
  }

  @Override
  public PartProgress progress(long checkpoint) {
    ProgressLog log = progress;
    return log != null && log.isOf(checkpoint)
        ? log.latest()
        : PartProgress.before(
            subject(),
            checkpoint,
            new PartProgress.Doing(Activity.WRITE, null, List.of(new Sender(node, task)), 0));
  }

  /** All that comes before a checkpoint has been written. */
  private void barrier(long checkpoint) throws Exception {
    ProgressLog log = new ProgressLog(clock, subject(), checkpoint, false);
    log.waited(Activity.WRITE, new Sender(node, task), clock.monotonicNanos());
    prepare(checkpoint, log);
  }

  private void prepare(long checkpoint, ProgressLog log) throws Exception {
    CheckpointControl to = checkpoints;
    if (to == null) {
      throw new IllegalStateException("barrier " + checkpoint + " in a job without checkpoints");
    }
    log.doing(Activity.PREPARE, null, 0);
    progress = log;
    Manifest.WriterPart prepared = null;
    if (commits == null) {
      flush();
    } else {
      prepared = commits.prepare(checkpoint);
    }
    log.spent(Activity.PREPARE, null, 0);
    log.reported();
    to.written(checkpoint, id(), prepared);
  }

  /** Makes visible what has been published; what cannot be now is tried again at the next tick. */
  private void commit() throws Exception {
    WriterCommits own = commits;
    CheckpointControl to = checkpoints;
    if (own == null || to == null) {
      return;
    }
    own.published(publishedUpTo);
    try {
      own.commit();
    } catch (Exception e) {
      long now = clock.monotonicNanos();
      commitFailingSince = commitFailingSince == Long.MIN_VALUE ? now : commitFailingSince;
      if (now - commitFailingSince >= commitNanos) {
        throw e;
      }
      LOG.warn(
          "output of sink '{}' for checkpoint {} cannot be committed, and is tried again: {}",
          node,
          own.next(),
          Rendering.cause(e));
      return;
    }
    commitFailingSince = Long.MIN_VALUE;
    if (publishedUpTo > reportedUpTo) {
      reportedUpTo = publishedUpTo;
      to.committed(publishedUpTo, id());
    }
  }

  /** Nothing more comes. */
  private void end() throws Exception {
    if (!finished) {
      finished = true;
      writer().finish();
      unflushed = false;
    }
    if (rejections != null && !rejections.end()) {
      return;
    }
    endDue = false;
    CheckpointControl to = checkpoints;
    if (to == null) {
      close(false);
    } else {
      ended = true;
      to.ended(id());
    }
  }

  private void closeWhenCommitted() throws Exception {
    if (lastPublished && (commits == null || commits.isEmpty())) {
      close(false);
    }
  }

  private void close(boolean complete) throws Exception {
    closed = true;
    try (SinkWriter<Object, Object> closing = writer()) {
      if (complete) {
        closing.finish();
      }
    } finally {
      if (rejections != null) {
        rejections.close();
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
    if (rejections != null) {
      rejections.close();
    }
    try {
      if (writer != null) {
        writer.close();
      }
    } catch (Exception e) {
      // The job has failed already; its cause is what counts.
      LOG.debug("sink '{}' could not be closed", node, e);
    } finally {
      complete();
    }
  }
}
