package io.streamforge.runtime.task;

import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.serde.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that the barriers of one checkpoint overtake at one task: what was in hand when it
 * was taken, and all that comes on each channel up to its barrier. Used by the task's thread only.
 */
// What lies in the channels is looked at before it is its turn, so that the checkpoint does not
// wait for it. That is bounded by the credits; a sender whose barrier does not come may send more
// than its credits meanwhile, so there is a bound in bytes.
public final class InFlightRecorder {
  /** Of one task in one checkpoint. */
  private static final long MAX_BYTES = 64 << 20;

  private static final int CHUNK_BYTES = 1 << 16;

  private final long checkpoint;
  private final Channel<Batch>[] channels;
  private final List<Exchanged> exchanges = new ArrayList<>();
  private final Exchanged[] exchangeOf;
  private final boolean[] open;

  /** How many batches have been looked at that are still in a channel. */
  private final int[] ahead;

  private final Sender[] senders;
  private int missing;

  /** The channel that was closed last. */
  private int last;

  private long bytes;

  /** What came on the channels of one exchange. */
  static final class Exchanged {
    final Inlet inlet;
    final List<byte[]> chunks = new ArrayList<>();
    private final RecordForm form;
    private final ByteWriter records = new ByteWriter();

    Exchanged(Inlet inlet) {
      RecordForm itsForm = inlet.form();
      if (itsForm == null) {
        throw new IllegalStateException("records from '" + inlet.from() + "' cannot be written");
      }
      this.inlet = inlet;
      this.form = itsForm;
    }

    /** Adds records; by how many bytes it grows. */
    long add(Batch batch, int from) {
      int before = records.size();
      for (int at = from; at < batch.size; at++) {
        form.write(
            batch.keys[at],
            batch.values[at],
            batch.hashes[at],
            batch.timestamps[at],
            batch.headers(at),
            records);
      }
      int added = records.size() - before;
      if (records.size() >= CHUNK_BYTES) {
        endChunk();
      }
      return added;
    }

    private void endChunk() {
      if (records.size() == 0) {
        return;
      }
      if (chunks.isEmpty()) {
        chunks.add(form.schema().toBytes());
      }
      chunks.add(records.toByteArray());
      records.reset();
    }
  }

  /**
   * Nothing has been recorded, and all channels bring a barrier.
   *
   * @param inlets of each channel; those of an exchange have the same
   * @param senders of each channel
   */
  public InFlightRecorder(
      long checkpoint, Channel<Batch>[] channels, List<Inlet> inlets, Sender[] senders) {
    this.checkpoint = checkpoint;
    this.senders = senders;
    this.channels = channels;
    this.open = new boolean[channels.length];
    this.ahead = new int[channels.length];
    this.exchangeOf = new Exchanged[channels.length];
    this.missing = channels.length;
    for (int i = 0; i < channels.length; i++) {
      open[i] = true;
      boolean another = i == 0 || inlets.get(i) != inlets.get(i - 1);
      exchangeOf[i] = another ? new Exchanged(inlets.get(i)) : exchangeOf[i - 1];
      if (another) {
        exchanges.add(exchangeOf[i]);
      }
    }
  }

  /** Nothing more is in flight on this channel. */
  public void close(int channel) {
    if (open[channel]) {
      open[channel] = false;
      last = channel;
      missing--;
    }
  }

  /** Whether more may be in flight on this channel; any thread may ask, a little late. */
  public boolean isOpen(int channel) {
    return open[channel];
  }

  /** Whether it records for this checkpoint. */
  public boolean isOf(long number) {
    return checkpoint == number;
  }

  /** Whose barrier came last, when nothing more is in flight. */
  Sender last() {
    return senders[last];
  }

  /** Records of a batch are in flight, from one of them on. */
  public void add(int channel, Batch batch, int from) {
    if (!isTooMuch()) {
      bytes += exchangeOf[channel].add(batch, from);
    }
  }

  /** A batch is in flight, as far as its channel has not brought the barrier. */
  public void arrived(int channel, Batch batch, int from) {
    if (open[channel]) {
      add(channel, batch, from);
      // A later barrier: the checkpoint has been given up, and nobody waits for this.
      if (batch.barrier >= checkpoint || batch.end) {
        close(channel);
      }
    }
  }

  /** A batch was taken from a channel. */
  public void taken(int channel, Batch batch) {
    if (ahead[channel] > 0) {
      ahead[channel]--;
    } else {
      arrived(channel, batch, 0);
    }
  }

  /** Whether nothing more is in flight, or it does not matter any more. */
  public boolean isDone() {
    return missing == 0;
  }

  /** Looks at what lies in the channels; whether all barriers have been seen. */
  boolean complete() {
    for (int i = 0; i < channels.length && missing > 0; i++) {
      for (Batch batch; open[i] && (batch = channels[i].peek(ahead[i])) != null; ) {
        ahead[i]++;
        arrived(i, batch, 0);
      }
    }
    return missing == 0;
  }

  /** Whether there is more than a checkpoint may hold; then it is not complete. */
  boolean isTooMuch() {
    return bytes > MAX_BYTES;
  }

  /** Says why it is too much. */
  String tooMuch() {
    return "more than "
        + (MAX_BYTES >> 20)
        + " MiB of records were on their way to it, and "
        + missing
        + " of its inputs have not brought the barrier";
  }

  /** Records nothing more. */
  void stop() {
    for (int i = 0; i < open.length; i++) {
      close(i);
    }
  }

  /** What each exchange has, when all is complete: its schema, then records; or nothing. */
  List<Exchanged> exchanges() {
    exchanges.forEach(Exchanged::endChunk);
    return exchanges;
  }
}
