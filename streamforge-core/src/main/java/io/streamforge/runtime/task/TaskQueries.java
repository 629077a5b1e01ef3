package io.streamforge.runtime.task;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The queries that wait for a task, which answers them between two steps.
 *
 * <p>Invariant: whoever takes a request out of the queue completes it, and one that has been left
 * in the queue is taken out by the task's next letter, or when the task ends.
 */
// At most one letter is under way. It only tells that there are requests, which are answered when
// the step is over: so the step has read what had come before them. Its run first takes the mark
// back: a request that comes behind it finds no mark and sends another letter.
final class TaskQueries {
  /** Requests that wait at a time; the next one is refused. */
  static final int MAX_WAITING = 1_024;

  /** Requests that are answered before the task goes on. */
  static final int PER_STEP = 64;

  /** Bytes after which no further one is answered before the task goes on. */
  static final int BYTES_PER_STEP = 64 << 10;

  /** Reads state, on the task's thread. */
  @FunctionalInterface
  interface StateReader {
    /** What the state holds, which may be the state itself; null: nothing. */
    @Nullable Object read(StateRequest request) throws Exception;
  }

  private final String job;
  private final String task;
  private final Mailbox mailbox;
  private final StateReader state;
  private final Queue<StateRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicBoolean letterSent = new AtomicBoolean();
  private volatile boolean closed;

  /** Of the task's thread. */
  private final ByteWriter buffer = new ByteWriter();

  private boolean due;

  TaskQueries(String job, String task, Mailbox mailbox, StateReader state) {
    this.job = job;
    this.task = task;
    this.mailbox = mailbox;
    this.state = state;
  }

  /** Any thread: has the request answered, or fails it at once. */
  void ask(StateRequest request) {
    if (request.answer().isDone()) {
      return; // nobody waits for it any more
    }
    if (waitingCount.incrementAndGet() > MAX_WAITING) {
      waitingCount.decrementAndGet();
      request.fail(
          new StreamForgeException(
              ErrorCode.QUERY_UNANSWERED,
              context(request),
              MAX_WAITING + " queries are waiting for the task already",
              "Ask again when some have been answered, from fewer threads.",
              null));
      return;
    }
    request.waitsIn(this);
    waiting.add(request);
    if (closed) {
      failAll();
    } else {
      sendLetter();
    }
  }

  private void sendLetter() {
    if (letterSent.compareAndSet(false, true)) {
      mailbox.send(
          () -> {
            letterSent.set(false);
            due = true;
          });
    }
  }

  /** Any thread: the request is not answered any more, unless that has happened. */
  void forget(StateRequest request) {
    if (waiting.remove(request)) {
      waitingCount.decrementAndGet();
    }
  }

  private @Nullable StateRequest take() {
    StateRequest next = waiting.poll();
    if (next != null) {
      waitingCount.decrementAndGet();
    }
    return next;
  }

  /** The task, when a step is over: whether there may be something to {@link #answer}. */
  boolean due() {
    return due;
  }

  /** The task, between two steps: answers some, and has itself called again for the others. */
  void answer() {
    due = false;
    int bytes = 0;
    for (int i = 0; i < PER_STEP && bytes < BYTES_PER_STEP; i++) {
      StateRequest request = take();
      if (request == null) {
        return;
      }
      bytes += answer(request);
    }
    if (!waiting.isEmpty()) {
      sendLetter();
    }
  }

  /** Bytes that were written. Whatever is thrown is the query's failure, not the job's. */
  private int answer(StateRequest request) {
    try {
      Object value = state.read(request);
      Serde<Object> form = request.form();
      if (value == null || form == null) {
        request.answer().complete(StateAnswer.whole(value));
        return 0;
      }
      buffer.reset();
      form.write(value, buffer);
      byte[] bytes = buffer.toByteArray();
      request.answer().complete(StateAnswer.written(form, bytes));
      return bytes.length;
    } catch (StreamForgeException e) {
      request.fail(e.within(context(request)));
    } catch (Throwable e) {
      request.fail(
          new StreamForgeException(
              ErrorCode.FUNCTION_FAILED,
              context(request),
              "a query could not read state '" + request.state() + "': " + Rendering.cause(e),
              "Mend what throws: the serde of the state, or the aggregator's result(). The job"
                  + " itself goes on.",
              e));
    }
    return 0;
  }

  /** The task has ended: nothing is answered any more. */
  void close() {
    closed = true;
    failAll();
  }

  private void failAll() {
    for (StateRequest request; (request = take()) != null; ) {
      request.fail(
          new StreamForgeException(
              ErrorCode.JOB_STOPPED,
              context(request),
              "the task has ended, and its state is gone"));
    }
  }

  private ErrorContext context(StateRequest request) {
    return new ErrorContext(job, request.node(), task, null, null);
  }
}
