package io.streamforge.runtime.task;

import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.TimerHandler;
import io.streamforge.record.Headers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stands around an operator of which some key groups had come further in event time than others
 * when the job was restored. While a record or a timer of a key is handled, the operator's
 * watermark is the one that the key's group had, should the task not have come so far yet.
 */
final class GroupTimesOperator implements Operator {
  private final Operator inner;
  private final GroupTimes before;
  private final OperatorSlot slot;
  private final KeyContext keyContext;
  private final Input[] inputs;

  GroupTimesOperator(
      Operator inner, int inputs, GroupTimes before, OperatorSlot slot, KeyContext keyContext) {
    this.inner = inner;
    this.before = before;
    this.slot = slot;
    this.keyContext = keyContext;
    this.inputs = new Input[inputs];
    Arrays.setAll(this.inputs, i -> new Input(inner.input(i)));
  }

  /** A handler of the operator's timers. */
  static TimerHandler around(
      TimerHandler handler, GroupTimes before, OperatorSlot slot, KeyContext keyContext) {
    return (key, timeMillis, domain, scope) -> {
      long own = slot.watermark;
      slot.watermark = Math.max(own, before.of(keyContext.hash));
      try {
        handler.onTimer(key, timeMillis, domain, scope);
      } finally {
        slot.watermark = own;
      }
    };
  }

  private final class Input implements Operator {
    private final Operator next;

    Input(Operator next) {
      this.next = next;
    }

    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers)
        throws Exception {
      long own = slot.watermark;
      slot.watermark = Math.max(own, before.of(keyContext.hash));
      try {
        next.process(key, value, timestampMillis, headers);
      } finally {
        slot.watermark = own;
      }
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      next.touch(hashes, from, to);
    }
  }

  @Override
  public void open() throws Exception {
    inner.open();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    inputs[0].process(key, value, timestampMillis, headers);
  }

  @Override
  public Operator input(int index) {
    return inputs[index];
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    inner.touch(hashes, from, to);
  }

  @Override
  public void onWatermark(long watermark) throws Exception {
    inner.onWatermark(watermark);
  }

  @Override
  public long outputWatermark(long watermark) {
    return inner.outputWatermark(watermark);
  }

  @Override
  public void onIdle() throws Exception {
    inner.onIdle();
  }

  @Override
  public void beforeCheckpoint() throws Exception {
    inner.beforeCheckpoint();
  }

  @Override
  public boolean pending() {
    return inner.pending();
  }

  @Override
  public void resume(int budget) throws Exception {
    inner.resume(budget);
  }

  @Override
  public void finish() throws Exception {
    inner.finish();
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    return inner.read(state, key, hash, eventTimeMillis);
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
