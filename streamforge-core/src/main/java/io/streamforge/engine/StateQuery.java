package io.streamforge.engine;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.QueriedNode;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.StateAnswer;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of one node while the job runs. Immutable and thread-safe; may be kept and used
 * for as long as the engine.
 *
 * <p>What a key has:
 *
 * <ul>
 *   <li><b>a running aggregate</b> ({@code count}, {@code reduce}, {@code aggregate}, …): its
 *       result as of the last record;
 *   <li><b>a processor's state</b>: its value, {@link Long}, {@link java.util.List} or {@link
 *       java.util.Map}, without what has expired. A processor with several states needs {@link
 *       #state};
 *   <li><b>a windowed aggregate</b>: a list of {@link io.streamforge.window.Windowed}, the result
 *       so far of each window that is open or kept, in the order in which they close; with
 *       discarding triggers, of what has not been emitted.
 * </ul>
 *
 * <p>The task that owns the key answers between two steps. So an answer is what all the records
 * have come to that the task has processed; those on their way are not in it, and no record is in
 * it in part. (Records that are combined before they are sent to a windowed aggregate come to it
 * when it is queried, ten times a second at most.) Answers that one thread gets one after the other
 * are in the order of the job, until that is started again. They are copies made by the serde of
 * the state: the caller may change them. Reading renews nothing that expires, and changes no
 * checkpoint.
 *
 * <p>1,024 queries may wait for a task at a time. A function of the job must not wait for a query:
 * the thread that is to answer may be its own.
 *
 * @param <V> what is read; as with a cast, the caller answers for it
 */
public final class StateQuery<V> {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  /** How often what is combined before an exchange is sent for queries. */
  private static final Duration STALE = Duration.ofMillis(100);

  private final Supervisor supervisor;
  private final QueriedNode node;
  private final Duration timeout;

  private StateQuery(Supervisor supervisor, QueriedNode node, Duration timeout) {
    this.supervisor = supervisor;
    this.node = node;
    this.timeout = timeout;
  }

  StateQuery(Supervisor supervisor, QueriedNode node) {
    this(supervisor, node, DEFAULT_TIMEOUT);
  }

  /**
   * Of the states of a processor the one with this name. Other nodes have one, which need not be
   * named: {@code aggregate} or {@code windows}.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID}, naming the states that there
   *     are, when this is none
   */
  public <T> StateQuery<T> state(String name) {
    return new StateQuery<>(supervisor, node.state(name), timeout);
  }

  /**
   * The same, waiting for an answer for this long at most; 10 s unless set.
   *
   * @throws IllegalArgumentException when it is not positive
   */
  public StateQuery<V> within(Duration newTimeout) {
    if (newTimeout.isNegative() || newTimeout.isZero()) {
      throw new IllegalArgumentException("a timeout is longer than zero: " + newTimeout);
    }
    return new StateQuery<>(supervisor, node, newTimeout);
  }

  /**
   * What the state holds for a key; null when that is nothing.
   *
   * @param key of the type of the node's keys
   * @throws StreamForgeException with
   *     <ul>
   *       <li>{@link ErrorCode#QUERY_INVALID} when the key is of another type, or the node has
   *           several states and none has been named;
   *       <li>{@link ErrorCode#QUERY_UNANSWERED} after the timeout, when too many queries wait for
   *           the task, and when the job is started again before it has answered;
   *       <li>{@link ErrorCode#JOB_STOPPED} when the job has ended;
   *       <li>{@link ErrorCode#FUNCTION_FAILED} or {@link ErrorCode#SERDE_FAILED} when an
   *           aggregator or a serde throws, by which the job is not affected
   *     </ul>
   *
   * @throws InterruptedException when the waiting thread is interrupted
   */
  public @Nullable V get(Object key) throws InterruptedException {
    JobRuntime job = running();
    StateRequest request = job.ask(node, key, STALE);
    try {
      return value(request.answer().get(nanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      request.withdraw();
      throw unanswered();
    } catch (InterruptedException e) {
      request.withdraw();
      throw e;
    } catch (ExecutionException e) {
      throw failure(job, e.getCause());
    }
  }

  /**
   * As {@link #get}, without waiting: whatever {@code get} throws is what the future fails with,
   * the timeout included. What depends on it runs on another thread than the job's.
   */
  public CompletableFuture<@Nullable V> getAsync(Object key) {
    JobRuntime job;
    StateRequest request;
    try {
      job = running();
      request = job.ask(node, key, STALE);
    } catch (StreamForgeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return request
        .answer()
        .orTimeout(nanos(), TimeUnit.NANOSECONDS)
        .handleAsync(
            (answer, failure) -> {
              if (failure instanceof TimeoutException) {
                request.withdraw();
                throw unanswered();
              } else if (failure != null) {
                throw failure(job, failure);
              }
              return value(answer);
            });
  }

  private long nanos() {
    return TimeUnit.NANOSECONDS.convert(timeout);
  }

  @SuppressWarnings("unchecked") // the caller answers for it
  private @Nullable V value(StateAnswer answer) {
    try {
      return (V) answer.value();
    } catch (StreamForgeException e) {
      throw e.within(context());
    } catch (RuntimeException e) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          context(),
          "the answer to a query could not be read: " + Rendering.cause(e),
          e);
    }
  }

  private JobRuntime running() {
    JobRuntime job = supervisor.job();
    if (supervisor.status() != JobStatus.RUNNING) {
      throw ended(job);
    }
    return job;
  }

  /** Why there is no answer. */
  private StreamForgeException failure(JobRuntime asked, @Nullable Throwable cause) {
    if (cause instanceof StreamForgeException known) {
      return known.code() == ErrorCode.JOB_STOPPED ? ended(asked) : known;
    }
    return new StreamForgeException(
        ErrorCode.INTERNAL, context(), "a query failed: " + cause, cause);
  }

  /** Why a task of the job has not answered although it was in time. */
  private StreamForgeException ended(JobRuntime asked) {
    StreamForgeException failure = supervisor.failure();
    String why = failure == null ? "" : ": " + failure.summary();
    if (asked != supervisor.job()) {
      return restarting("the job has failed and was started again before the query was answered");
    }
    return switch (supervisor.status()) {
      case RESTARTING ->
          restarting("the job has failed and is being started again, it has no state yet" + why);
      case FAILED ->
          stopped("the job has failed, its state is gone" + why, "Mend that and start it again.");
      case CANCELLED ->
          stopped(
              "the job has been cancelled, its state is gone", "Query it before it is cancelled.");
      case FINISHED -> finished();
      // Its tasks have ended or are about to; it says so when all of them have.
      case RUNNING -> {
        if (failure != null) {
          yield restarting("the job is failing, its state is gone" + why);
        } else if (asked.stopping()) {
          yield stopped(
              "the job is being cancelled, its state is gone", "Query it before it is cancelled.");
        }
        yield finished();
      }
    };
  }

  private StreamForgeException restarting(String summary) {
    return new StreamForgeException(
        ErrorCode.QUERY_UNANSWERED,
        context(),
        summary,
        "Ask again as soon as engine.status() says RUNNING.",
        null);
  }

  private StreamForgeException finished() {
    return stopped(
        "the job has processed all its input, its state is gone",
        "Have the results written to a sink, and query jobs whose input does not end.");
  }

  private StreamForgeException stopped(String summary, String remedy) {
    return new StreamForgeException(ErrorCode.JOB_STOPPED, context(), summary, remedy, null);
  }

  private StreamForgeException unanswered() {
    return new StreamForgeException(
        ErrorCode.QUERY_UNANSWERED,
        context(),
        "the task that owns the key has not answered within "
            + Windows.text(timeout)
            + ": a function or a step of its worker takes longer",
        "Ask again, or with a longer timeout: within(…).",
        null);
  }

  private ErrorContext context() {
    return new ErrorContext(supervisor.job().job(), node.name(), null, null, null);
  }
}
