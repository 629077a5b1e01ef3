package io.streamforge.runtime.task;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.record.Headers;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Stands in front of an operator that may have work in hand and holds the records that come
 * meanwhile: one record upstream may become several without a look at the output, in a processor, a
 * timer or a pushing flatMap.
 */
@Specialised
public final class HoldingOperator implements Operator {
  private final Operator inner;
  private final KeyContext keyContext;
  private final Gate gate;

  /** One for each input. */
  private final HeldInput[] inputs;

  /** Whether records of some input are held. */
  private boolean holds;

  /**
   * Holds records for {@code inner} while it has work in hand.
   *
   * @param held where those of each input are kept
   */
  public HoldingOperator(Operator inner, KeyContext keyContext, Gate gate, Overflow[] held) {
    this.inner = inner;
    this.keyContext = keyContext;
    this.gate = gate;
    this.inputs = new HeldInput[held.length];
    for (int i = 0; i < held.length; i++) {
      inputs[i] = new HeldInput(inner.input(i), held[i]);
    }
  }

  /** An input of the operator. */
  private final class HeldInput implements Operator {
    private final Operator next;
    private final Overflow held;

    HeldInput(Operator next, Overflow held) {
      this.next = next;
      this.held = held;
    }

    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers)
        throws Exception {
      if (HoldingOperator.this.pending()) {
        held.add(key, value, keyContext.hash, timestampMillis, headers);
        holds = true;
        gate.suspend();
      } else {
        next.process(key, value, timestampMillis, headers);
      }
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      next.touch(hashes, from, to);
    }

    /** Takes held records, as long as nothing downstream objects; what is left of the budget. */
    int goOn(int budget) throws Exception {
      int left = budget;
      for (; left > 0 && !gate.closed && !held.isEmpty(); left--) {
        Overflow.Held first = held.peek();
        held.remove();
        keyContext.hash = first.hash();
        next.process(first.key(), first.value(), first.timestampMillis(), first.headers());
      }
      return left;
    }
  }

  @Override
  public Operator input(int index) {
    return inputs[index];
  }

  /** Whether an operator may have work in hand: whether it says anything about it. */
  public static boolean isNeededFor(Operator operator) {
    try {
      return operator.getClass().getMethod("pending").getDeclaringClass() != Operator.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
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
    return holds || inner.pending();
  }

  @Override
  public void resume(int budget) throws Exception {
    if (inner.pending()) {
      inner.resume(budget);
      return;
    }
    int left = budget;
    boolean rest = false;
    for (HeldInput input : inputs) {
      left = input.goOn(left);
      rest |= !input.held.isEmpty();
    }
    holds = rest;
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
    try {
      inner.close();
    } finally {
      for (HeldInput input : inputs) {
        input.held.close();
      }
    }
  }
}
