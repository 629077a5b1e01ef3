package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.serde.Inferred;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.time.Clock;
import io.streamforge.time.TimeDomain;
import org.jspecify.annotations.Nullable;

/**
 * The context of an operator under a guard: the guard is told of what fails downstream, and a timer
 * may be rejected.
 */
@Specialised
final class GuardedContext implements OperatorContext {
  private final OperatorContext inner;
  private final Guard guard;
  private final Rejections rejections;

  GuardedContext(OperatorContext inner, Guard guard, Rejections rejections) {
    this.inner = inner;
    this.guard = guard;
    this.rejections = rejections;
  }

  private Output guarded(Output output) {
    return new GuardedOutput(output, guard);
  }

  @Override
  public Output output() {
    return guarded(inner.output());
  }

  @Override
  public Output output(String name) {
    return guarded(inner.output(name));
  }

  @Override
  public Timers timers(TimerHandler handler) {
    return inner.timers(new GuardedTimers(handler, guard, rejections));
  }

  @Override
  public Timers derivedTimers(TimerHandler handler) {
    return inner.derivedTimers(handler);
  }

  @Override
  public String node() {
    return inner.node();
  }

  @Override
  public String job() {
    return inner.job();
  }

  @Override
  public int taskIndex() {
    return inner.taskIndex();
  }

  @Override
  public int parallelism() {
    return inner.parallelism();
  }

  @Override
  public boolean full() {
    return inner.full();
  }

  @Override
  public KeyContext keyContext() {
    return inner.keyContext();
  }

  @Override
  public NodeCounters counters() {
    return inner.counters();
  }

  @Override
  public KeyedStates states() {
    return inner.states();
  }

  @Override
  public Inferred valueForm(int input) {
    return inner.valueForm(input);
  }

  @Override
  public void suspend() {
    inner.suspend();
  }

  @Override
  public long watermark() {
    return inner.watermark();
  }

  @Override
  public @Nullable GroupTimes groupTimes() {
    return inner.groupTimes();
  }

  @Override
  public Clock clock() {
    return inner.clock();
  }

  @Override
  public long jobTimeMillis() {
    return inner.jobTimeMillis();
  }

  private static final class GuardedOutput implements Output {
    private final Output next;
    private final Guard guard;

    GuardedOutput(Output next, Guard guard) {
      this.next = next;
      this.guard = guard;
    }

    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers)
        throws Exception {
      try {
        next.process(key, value, timestampMillis, headers);
      } catch (Throwable e) {
        guard.failedBelow(e);
        throw e;
      }
    }
  }

  private static final class GuardedTimers implements TimerHandler {
    private final TimerHandler inner;
    private final Guard guard;
    private final Rejections rejections;

    GuardedTimers(TimerHandler inner, Guard guard, Rejections rejections) {
      this.inner = inner;
      this.guard = guard;
      this.rejections = rejections;
    }

    @Override
    public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
        throws Exception {
      try {
        inner.onTimer(key, timeMillis, domain, scope);
        guard.check();
      } catch (Rejected e) {
        if (!e.isOf(guard)) {
          throw e;
        }
        rejections.timer(key, timeMillis, e.failure());
      }
    }
  }
}
