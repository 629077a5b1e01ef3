package io.streamforge.runtime.task;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the channels of the exchanges that end at a task, in turns. */
@Specialised
public final class ChannelInput implements TaskInput {
  private final Channel<Batch>[] channels;
  private final Output[] heads;
  private final Sender[] senders;
  private final List<Inlet> inlets;

  /** What follows each channel where that is an operator, to be told what comes. */
  private final @Nullable Operator[] operators;

  private final KeyContext keyContext;
  private final Gate gate;
  private final WatermarkTracker tracker;
  private final BarrierAligner aligner;
  private final BarrierTimes barrierTimes;
  private long watermark = Long.MIN_VALUE;
  private boolean ended;
  private int turn;
  private int inHandOf;
  private @Nullable Batch inHand;
  private int position;
  private int next;

  /** What was in flight in the checkpoint that the job goes on from, and has not been read yet. */
  private final Deque<RestoredBatch> restored = new ArrayDeque<>();

  /** Whether the batch in hand was among them, and so belongs to no channel. */
  private boolean inHandRestored;

  /** Null when no checkpoint overtakes what is in the channels. */
  private @Nullable InFlightRecorder recorder;

  /** A batch, and a channel of its exchange. */
  private record RestoredBatch(int channel, Batch batch) {}

  /**
   * Reads these channels.
   *
   * @param heads what follows each
   * @param senders of each
   * @param inlets the exchange of each; channels of one exchange stand together
   * @param holds whether a channel that has brought a barrier waits for the others
   * @param clock tells when barriers come
   */
  public ChannelInput(
      Channel<Batch>[] channels,
      Output[] heads,
      Sender[] senders,
      List<Inlet> inlets,
      boolean holds,
      KeyContext keyContext,
      Gate gate,
      Clock clock) {
    this.channels = channels;
    this.heads = heads;
    this.senders = senders;
    this.inlets = List.copyOf(inlets);
    this.operators = new Operator[heads.length];
    for (int i = 0; i < heads.length; i++) {
      operators[i] = heads[i] instanceof Operator operator ? operator : null;
    }
    this.keyContext = keyContext;
    this.gate = gate;
    this.tracker = new WatermarkTracker(channels.length);
    this.aligner = new BarrierAligner(channels.length, holds);
    this.barrierTimes = new BarrierTimes(clock, senders);
    for (int i = 0; i < channels.length; i++) {
      if (i == 0 || inlets.get(i) != inlets.get(i - 1)) {
        restored.add(new RestoredBatch(i, inlets.get(i).restored()));
      }
    }
  }

  @Override
  public boolean step(int budget) throws Exception {
    boolean worked = false;
    int left = budget;
    int dry = 0;
    while (left > 0 && dry < channels.length && aligner.complete() == 0) {
      Batch batch = inHand;
      if (batch == null) {
        batch = nextBatch();
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
      boolean moved = !inHandRestored && control(batch);
      inHand = null;
      inHandRestored = false;
      if (moved) {
        return true;
      }
    }
    return worked;
  }

  /** The next batch, whose channel is then {@link #inHandOf}; null when that has none to read. */
  private @Nullable Batch nextBatch() {
    RestoredBatch first = restored.poll();
    if (first != null) {
      inHandOf = first.channel;
      inHandRestored = true;
      return first.batch;
    }
    inHandOf = turn;
    turn = (turn + 1) % channels.length;
    Batch batch = aligner.held(inHandOf) ? null : channels[inHandOf].poll();
    if (batch != null && recorder != null) {
      recorder.taken(inHandOf, batch);
      recorder = recorder.isDone() ? null : recorder;
    }
    return batch;
  }

  /** Hands records of the batch to the operators; how many. */
  private int take(Batch batch, int budget) throws Exception {
    Output head = heads[inHandOf];
    @Nullable Object[] keys = batch.keys;
    @Nullable Object[] values = batch.values;
    long[] hashes = batch.hashes;
    long[] timestamps = batch.timestamps;
    @Nullable Headers @Nullable [] headers = batch.headers;
    int first = next;
    int end = Math.min(batch.size, first + budget);
    Operator operator = operators[inHandOf];
    if (operator != null) {
      operator.touch(hashes, first, end);
    }
    for (int at = first; at < end; at++) {
      position = at;
      keyContext.hash = hashes[at];
      head.process(keys[at], values[at], timestamps[at], headers == null ? null : headers[at]);
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
    Channel<Batch> channel = channels[inHandOf];
    if (batch.barrier != 0) {
      aligner.barrier(inHandOf, batch.barrier);
    }
    if (batch.end) {
      tracker.end(inHandOf);
      aligner.end(inHandOf);
    } else {
      tracker.advance(inHandOf, batch.watermark);
      if (batch.idle) {
        tracker.idle(inHandOf);
      }
    }
    if (batch.barrier != 0 || batch.end) {
      barrierTimes.moved(inHandOf, aligner.aligning(), aligner.complete() != 0);
    }
    batch.clear();
    if (batch.control) {
      channel.giveBackCarrier(batch);
    } else {
      channel.giveBack(batch);
    }
    if (aligner.held(inHandOf)) {
      channel.rest();
    }
    // A checkpoint that is complete now is taken before the task ends.
    ended = tracker.allEnded() && aligner.complete() == 0;
    long before = watermark;
    watermark = tracker.current();
    return watermark > before;
  }

  @Override
  public long barrier() {
    return aligner.complete();
  }

  @Override
  public InFlightRecorder overtake(long checkpoint) {
    InFlightRecorder overtaken = new InFlightRecorder(checkpoint, channels, inlets, senders);
    if (inHand != null && inHandRestored) {
      overtaken.add(inHandOf, inHand, next);
    }
    restored.forEach(left -> overtaken.add(left.channel, left.batch, 0));
    for (int i = 0; i < channels.length; i++) {
      if (tracker.isEnded(i) || aligner.hasBrought(i, checkpoint)) {
        overtaken.close(i);
      }
    }
    if (inHand != null && !inHandRestored) {
      overtaken.arrived(inHandOf, inHand, next);
    }
    recorder = overtaken;
    return overtaken;
  }

  @Override
  public BarrierTimes barrierTimes() {
    return barrierTimes;
  }

  @Override
  public List<Sender> awaited(long checkpoint) {
    List<Sender> awaited = new ArrayList<>();
    InFlightRecorder overtaken = recorder;
    for (int i = 0; i < channels.length; i++) {
      boolean missing =
          overtaken != null && overtaken.isOf(checkpoint)
              ? overtaken.isOpen(i)
              : !aligner.hasBrought(i, checkpoint) && !tracker.isEnded(i);
      if (missing) {
        awaited.add(senders[i]);
      }
    }
    return awaited;
  }

  @Override
  public void settled(long checkpoint) {
    aligner.settle(checkpoint);
    ended = tracker.allEnded();
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
    if (inHand != null) {
      return true;
    }
    for (int i = 0; i < channels.length; i++) {
      if (aligner.held(i) && !channels[i].isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long deadlineNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public String position() {
    return "record " + position + " of a batch from " + senders[inHandOf];
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
  public @Nullable Sender sender() {
    int holder = tracker.holder();
    return holder < 0 ? null : senders[holder];
  }

  @Override
  public @Nullable String holder() {
    Sender sender = sender();
    return sender == null ? null : sender.toString();
  }

  @Override
  public @Nullable String node() {
    return null;
  }

  @Override
  public void close() {}
}
