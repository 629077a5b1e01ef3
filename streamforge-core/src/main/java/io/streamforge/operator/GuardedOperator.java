package io.streamforge.operator;

import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Stands around an operator whose node has an error policy other than to fail. A record that the
 * user's function rejects goes where the policy says, and the next one follows. What the operator
 * had emitted for the record stays emitted.
 */
@Specialised
public final class GuardedOperator implements Operator {
  /*
   * The record is kept while the operator has work in hand: what is left of it may be rejected
   * later. Other operators are not slowed down by any of this: they have no guard around them.
   */
  private final Operator inner;
  private final Guard guard;
  private final Rejections rejections;
  private final OperatorContext context;

  private @Nullable Object key;
  private @Nullable Object value;
  private long timestampMillis;
  private @Nullable Headers headers;

  GuardedOperator(Operator inner, Guard guard, Rejections rejections, OperatorContext context) {
    this.inner = inner;
    this.guard = guard;
    this.rejections = rejections;
    this.context = context;
  }

  @Override
  public void open() throws Exception {
    inner.open();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    try {
      inner.process(key, value, timestampMillis, headers);
      guard.check();
    } catch (Rejected e) {
      reject(e, key, value, timestampMillis, headers);
      if (inner.pending()) {
        // What windows before the one that has rejected the record had made of it.
        context.suspend();
      }
      return;
    }
    if (inner.pending()) {
      this.key = key;
      this.value = value;
      this.timestampMillis = timestampMillis;
      this.headers = headers;
    }
  }

  @Override
  public void resume(int budget) throws Exception {
    try {
      inner.resume(budget);
      guard.check();
    } catch (Rejected e) {
      reject(e, key, value, timestampMillis, headers);
    }
    if (!inner.pending()) {
      key = null;
      value = null;
      headers = null;
    }
  }

  private void reject(
      Rejected e,
      @Nullable Object rejectedKey,
      @Nullable Object rejectedValue,
      long rejectedMillis,
      @Nullable Headers rejectedHeaders)
      throws Exception {
    if (!e.isOf(guard)) {
      throw e;
    }
    rejections.record(rejectedKey, rejectedValue, rejectedMillis, rejectedHeaders, e.failure());
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
      rejections.close();
    }
  }
}
