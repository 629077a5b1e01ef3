package io.streamforge.runtime.task;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.Gate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the channels of the exchanges that end at a task, in turns. */
public final class ChannelInput implements TaskInput {
  /**
   * A channel and what follows it.
   *
   * @param from names the sender in messages
   */
  public record Inlet(Channel<Batch> channel, Output head, String from) {}

  private final Inlet[] inlets;
  private final KeyContext keyContext;
  private final Gate gate;
  private final WatermarkTracker tracker;
  private long watermark = Long.MIN_VALUE;
  private boolean ended;
  private int turn;
  private int inHandInlet;
  private @Nullable Batch inHand;
  private int position;
  private int next;

  /** Reads these. */
  public ChannelInput(List<Inlet> inlets, KeyContext keyContext, Gate gate) {
    this.inlets = inlets.toArray(new Inlet[0]);
    this.keyContext = keyContext;
    this.gate = gate;
    this.tracker = new WatermarkTracker(inlets.size());
  }

  @Override
  public boolean step(int budget) throws Exception {
    boolean worked = false;
    int left = budget;
    int dry = 0;
    while (left > 0 && dry < inlets.length) {
      Batch batch = inHand;
      if (batch == null) {
        inHandInlet = turn;
        turn = (turn + 1) % inlets.length;
        batch = inlets[inHandInlet].channel.poll();
        if (batch == null) {
          dry++;
          continue;
        }
        dry = 0;
        inHand = batch;
        position = 0;
        next = 0;
      }
      worked = true;
      left -= take(batch, left);
      if (next < batch.size) {
        return true;
      }
      if (gate.closed) {
        // The last record is still in hand of an operator.
        return true;
      }
      boolean moved = control(batch);
      inHand = null;
      if (moved) {
        return true;
      }
    }
    return worked;
  }

  /** Hands records of the batch to the operators; how many. */
  private int take(Batch batch, int budget) throws Exception {
    Output head = inlets[inHandInlet].head;
    @Nullable Object[] keys = batch.keys;
    @Nullable Object[] values = batch.values;
    long[] hashes = batch.hashes;
    long[] timestamps = batch.timestamps;
    @Nullable Headers @Nullable [] headers = batch.headers;
    int first = next;
    int end = Math.min(batch.size, first + budget);
    for (int at = first; at < end; at++) {
      position = at;
      keyContext.hash = hashes[at];
      head.emit(keys[at], values[at], timestamps[at], headers == null ? null : headers[at]);
      if (gate.closed) {
        end = at + 1;
        break;
      }
    }
    next = end;
    return end - first;
  }

  /** Applies what is behind the records and gives the batch back; whether event time has moved. */
  private boolean control(Batch batch) {
    Channel<Batch> channel = inlets[inHandInlet].channel;
    if (batch.end) {
      tracker.end(inHandInlet);
    } else {
      tracker.advance(inHandInlet, batch.watermark);
      if (batch.idle) {
        tracker.idle(inHandInlet);
      }
    }
    batch.clear();
    if (batch.control) {
      channel.giveBackCarrier(batch);
    } else {
      channel.giveBack(batch);
    }
    ended = tracker.allEnded();
    long before = watermark;
    watermark = tracker.current();
    return watermark > before;
  }

  @Override
  public long watermark() {
    return watermark;
  }

  @Override
  public boolean idle() {
    return tracker.isIdle();
  }

  @Override
  public boolean ended() {
    return ended;
  }

  @Override
  public boolean hasBacklog() {
    return inHand != null;
  }

  @Override
  public long deadlineNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public String position() {
    return "record " + position + " of a batch from " + inlets[inHandInlet].from;
  }

  @Override
  public @Nullable Object recordInHand() {
    Batch batch = inHand;
    return batch == null || position >= batch.size
        ? null
        : new Record<>(
            batch.keys[position],
            batch.values[position],
            batch.timestamps[position],
            batch.headers(position));
  }

  @Override
  public @Nullable String holder() {
    int holder = tracker.holder();
    return holder < 0 ? null : inlets[holder].from;
  }

  @Override
  public @Nullable String node() {
    return null;
  }

  @Override
  public void close() {}
}
