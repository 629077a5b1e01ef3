package io.streamforge.runtime;

import io.streamforge.runtime.task.StageTask;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.scheduler.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Takes queries of a job to the tasks that answer them. Thread-safe. */
// What is combined before the exchange to a window node is sent first, as for a checkpoint: else a
// window would look empty until it closes. That costs the sending tasks some of what combining
// gains, so it is done now and then, for all queries of the node together.
final class JobQueries {
  /** How long an answer waits for what is combined, which a task may be slow to send. */
  private static final long MAX_WAIT_MILLIS = 100;

  /**
   * That the tasks before a node send what they have combined.
   *
   * @param sent when all of them have
   * @param waitedFor when queries go on
   */
  private record Sending(
      long beganNanos, CompletableFuture<Void> sent, CompletableFuture<Void> waitedFor) {}

  private final List<StageTask> tasks;
  private final Scheduler scheduler;
  private final Map<String, Sending> sendings = new ConcurrentHashMap<>();

  /**
   * For one job.
   *
   * @param tasks all of its tasks, in the order of its stages
   */
  JobQueries(List<StageTask> tasks, Scheduler scheduler) {
    this.tasks = tasks;
    this.scheduler = scheduler;
  }

  /** As {@link JobRuntime#ask}. */
  StateRequest ask(QueriedNode node, Object key, Duration stale) {
    StateRequest request = node.request(key);
    StageTask owner = tasks.get(node.taskOf(request.hash()));
    List<Integer> combining = node.combiningTasks();
    if (combining.isEmpty()) {
      owner.ask(request);
    } else {
      long now = scheduler.clock().monotonicNanos();
      sendings
          .compute(
              node.name(),
              (name, last) ->
                  last == null || (last.sent.isDone() && now - last.beganNanos >= stale.toNanos())
                      ? begin(combining, now)
                      : last)
          .waitedFor
          .whenComplete((nothing, failure) -> owner.ask(request));
    }
    return request;
  }

  private Sending begin(List<Integer> combining, long now) {
    CompletableFuture<Void> sent =
        CompletableFuture.allOf(
            combining.stream()
                .map(index -> tasks.get(index).sendCombined())
                .toArray(CompletableFuture[]::new));
    CompletableFuture<Void> waitedFor =
        scheduler.concurrent()
            ? sent.copy().completeOnTimeout(null, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)
            : sent;
    return new Sending(now, sent, waitedFor);
  }
}
