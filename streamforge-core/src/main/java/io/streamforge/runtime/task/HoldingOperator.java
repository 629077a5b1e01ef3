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
  private final Overflow held;

  /** Holds records for {@code inner} while it has work in hand. */
  public HoldingOperator(Operator inner, KeyContext keyContext, Gate gate, Overflow held) {
    this.inner = inner;
    this.keyContext = keyContext;
    this.gate = gate;
    this.held = held;
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
    if (pending()) {
      held.add(key, value, keyContext.hash, timestampMillis, headers);
      gate.suspend();
    } else {
      inner.process(key, value, timestampMillis, headers);
    }
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
  public void onIdle() throws Exception {
    inner.onIdle();
  }

  @Override
  public void beforeCheckpoint() throws Exception {
    inner.beforeCheckpoint();
  }

  @Override
  public boolean pending() {
    return inner.pending() || !held.isEmpty();
  }

  @Override
  public void resume(int budget) throws Exception {
    if (inner.pending()) {
      inner.resume(budget);
      return;
    }
    for (int i = 0; i < budget && !gate.closed && !held.isEmpty(); i++) {
      Overflow.Held next = held.peek();
      held.remove();
      keyContext.hash = next.hash();
      inner.process(next.key(), next.value(), next.timestampMillis(), next.headers());
    }
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
      held.close();
    }
  }
}
