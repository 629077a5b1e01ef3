package io.streamforge.runtime.channel;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of an exchange in one task: lays records into batches, one under way a channel,
 * and sends control events behind them. A record that finds no credit is held, and the gate closes
 * until it has been sent; nothing overtakes it.
 */
@Specialised
public final class ExchangeOutput implements TaskOutput {
  private final Channel<Batch>[] channels;
  private final Router router;
  private final KeyContext keyContext;
  private final NodeCounters counters;
  private final Gate gate;
  private final Overflow overflow;
  private final @Nullable Batch[] filling;
  private final long[] sentWatermarks;
  private final boolean[] sentIdle;
  private final boolean[] sentEnd;
  private long watermark = Timestamps.MIN;
  private boolean idle;
  private boolean ended;
  private boolean holding;
  private boolean controlDue;

  /** The barrier that is on its way, and the channels that it has been sent to; 0: none. */
  private long barrier;

  private int barriersSent;

  /** Which channel a record takes. */
  public interface Router {
    /** 0 to the number of channels − 1. */
    int channel(long hash);
  }

  /**
   * Sends to these channels.
   *
   * @param counters of the node whose output is sent
   * @param overflow where records are held that find no credit
   */
  public ExchangeOutput(
      Channel<Batch>[] channels,
      Router router,
      KeyContext keyContext,
      NodeCounters counters,
      Gate gate,
      Overflow overflow) {
    this.channels = channels;
    this.router = router;
    this.keyContext = keyContext;
    this.counters = counters;
    this.gate = gate;
    this.overflow = overflow;
    this.filling = new Batch[channels.length];
    this.sentWatermarks = new long[channels.length];
    this.sentIdle = new boolean[channels.length];
    this.sentEnd = new boolean[channels.length];
    java.util.Arrays.fill(sentWatermarks, Timestamps.MIN);
  }

  @Override
  public void process(
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers) {
    counters.out++;
    long hash = keyContext.hash;
    if (holding || !append(key, value, hash, timestampMillis, headers)) {
      hold(key, value, hash, timestampMillis, headers);
    }
  }

  private boolean append(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers) {
    int to = router.channel(hash);
    Batch batch = filling[to];
    if (batch == null) {
      batch = channels[to].takeCredit();
      if (batch == null) {
        return false;
      }
      filling[to] = batch;
    }
    batch.add(key, value, hash, timestampMillis, headers);
    if (batch.size >= batch.limit) {
      filling[to] = null;
      sendBatch(to, batch);
    }
    return true;
  }

  private void hold(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers) {
    overflow.add(key, value, hash, timestampMillis, headers);
    if (!holding) {
      holding = true;
      gate.outputFull();
    }
  }

  @Override
  public boolean drainHeld() {
    if (!holding) {
      return true;
    }
    if (barrier != 0 && !sendBarrier()) {
      return false;
    }
    while (!overflow.isEmpty()) {
      Overflow.Held record = overflow.peek();
      if (!append(
          record.key(),
          record.value(),
          record.hash(),
          record.timestampMillis(),
          record.headers())) {
        return false;
      }
      overflow.remove();
    }
    holding = false;
    gate.outputFree();
    return true;
  }

  @Override
  public void eventTime(long watermark, boolean idle) {
    if (barrier != 0) {
      throw new IllegalStateException("event time would overtake barrier " + barrier);
    }
    if (this.watermark != watermark || this.idle != idle) {
      this.watermark = watermark;
      this.idle = idle;
      controlDue = true;
    }
  }

  @Override
  public void barrier(long checkpoint) {
    if (holding) {
      throw new IllegalStateException("barrier " + checkpoint + " would overtake what is held");
    }
    barrier = checkpoint;
    barriersSent = 0;
    holding = true;
    gate.outputFull();
    drainHeld();
  }

  /** Sends the barrier to the channels that have room for it, in their order; whether to all. */
  private boolean sendBarrier() {
    for (; barriersSent < channels.length; barriersSent++) {
      int to = barriersSent;
      Batch batch = filling[to];
      filling[to] = null;
      batch = batch != null ? batch : channels[to].takeCarrier();
      batch = batch != null ? batch : channels[to].takeCredit();
      if (batch == null) {
        return false;
      }
      batch.barrier = barrier;
      sendBatch(to, batch);
    }
    barrier = 0;
    return true;
  }

  @Override
  public void end() {
    ended = true;
    controlDue = true;
  }

  /** Whether something waits to be sent that {@link #flush} would send. */
  public boolean unsent() {
    if (controlDue || holding) {
      return true;
    }
    for (Batch batch : filling) {
      if (batch != null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean flush() {
    return flush(true);
  }

  @Override
  public void flushUseful() {
    flush(false);
  }

  private boolean flush(boolean always) {
    boolean all = true;
    for (int to = 0; to < channels.length; to++) {
      Batch batch = filling[to];
      if (batch != null) {
        if (!always && channels[to].betterFilled()) {
          all = false;
          continue;
        }
        filling[to] = null;
        sendBatch(to, batch);
      } else if (controlDue && !upToDate(to)) {
        all &= sendControl(to);
      }
    }
    controlDue = controlDue && !all;
    return all;
  }

  private boolean upToDate(int to) {
    return sentWatermarks[to] == watermark && sentIdle[to] == idle && sentEnd[to] == ended;
  }

  private void sendBatch(int to, Batch batch) {
    stamp(to, batch);
    channels[to].send(batch);
  }

  private boolean sendControl(int to) {
    Batch carrier = channels[to].takeCarrier();
    if (carrier == null) {
      return false;
    }
    sendBatch(to, carrier);
    return true;
  }

  private void stamp(int to, Batch batch) {
    batch.watermark = watermark;
    batch.idle = idle;
    batch.end = ended;
    sentWatermarks[to] = watermark;
    sentIdle[to] = idle;
    sentEnd[to] = ended;
  }

  @Override
  public void close() {
    overflow.close();
  }

  @Override
  public double recordsPerSecondTaken() {
    double sum = 0;
    for (Channel<Batch> channel : channels) {
      sum += channel.recordsPerSecond();
    }
    return sum;
  }

  @Override
  public int creditsAtHand() {
    int count = 0;
    for (Channel<Batch> channel : channels) {
      count += channel.creditsAtHand();
    }
    return count;
  }
}
