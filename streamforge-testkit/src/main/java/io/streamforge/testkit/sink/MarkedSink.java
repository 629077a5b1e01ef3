package io.streamforge.testkit.sink;

import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import io.streamforge.testkit.sink.SinkFaults.Call;
import io.streamforge.testkit.sink.SinkFaults.Moment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A system outside, in memory, that all attempts of a job write into: give the same object to each
 * topology. It keeps what is prepared, shows what is committed, and keeps a marker for each writer
 * together with the output. It is as strict as a system may be: a commit of a checkpoint at or
 * below the marker does nothing, also when its output was never there, and writers of earlier
 * starts are fenced. So a job that uses a number twice loses output here, and one that commits too
 * early shows it.
 *
 * <p>Thread-safe; the order of calls is the caller's business.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class MarkedSink<K, V> implements CommittingSink<K, V> {
  /**
   * Output that has become visible in one step.
   *
   * @param writer whose output
   * @param checkpoint it was prepared for; 0 in a job without checkpoints
   */
  public record Shown<K, V>(String writer, long checkpoint, List<Record<K, V>> records) {
    /** A copy. */
    public Shown {
      records = List.copyOf(records);
    }
  }

  private record Prepared<K, V>(String writer, List<Record<K, V>> records) {}

  private final Map<Long, Prepared<K, V>> prepared = new TreeMap<>();
  private final Map<String, Long> markers = new TreeMap<>();
  private final List<Shown<K, V>> shown = new ArrayList<>();
  private SinkFaults faults = SinkFaults.NONE;
  private long lastId;
  private long start;

  private final boolean blocking;

  /** An empty system, written on I/O threads. */
  public MarkedSink() {
    this(true);
  }

  /**
   * An empty system.
   *
   * @param blocking whether it is written on I/O threads or on the tasks' own
   */
  public MarkedSink(boolean blocking) {
    this.blocking = blocking;
  }

  @Override
  public boolean blocking() {
    return blocking;
  }

  /** From now on, what goes wrong. */
  public synchronized void faults(SinkFaults faults) {
    this.faults = faults;
  }

  /**
   * As if an earlier job had written here: its writers have shown output up to a checkpoint, and
   * all of it was taken away.
   */
  public synchronized void used(int writers, long checkpoint) {
    for (int i = 0; i < writers; i++) {
      markers.put(Integer.toString(i), checkpoint);
    }
  }

  /** What has become visible, in this order. */
  public synchronized List<Shown<K, V>> shown() {
    return List.copyOf(shown);
  }

  /** All records that are visible, in the order in which they became it. */
  public synchronized List<Record<K, V>> records() {
    return shown.stream().flatMap(output -> output.records().stream()).toList();
  }

  /** For each writer the highest checkpoint of which output is visible. */
  public synchronized Map<String, Long> markers() {
    return Map.copyOf(markers);
  }

  /** How many committables wait: prepared, and neither visible nor forgotten by a start. */
  public synchronized int waiting() {
    return prepared.size();
  }

  /** What is prepared is lost, as where the system outside lets it expire. */
  public synchronized void losePrepared() {
    prepared.clear();
  }

  @Override
  public synchronized CommittingWriter<K, V> writer(SinkContext context) {
    return new Writer(Integer.toString(context.taskIndex()), start, context.checkpointed());
  }

  @Override
  public synchronized List<WriterMarker> fence(SinkContext context, List<WriterState> writers)
      throws Exception {
    faults.at(Call.FENCE, Moment.BEFORE, "", 0);
    start++;
    faults.at(Call.FENCE, Moment.BEHIND, "", 0);
    List<WriterMarker> found = new ArrayList<>();
    markers.forEach((writer, checkpoint) -> found.add(new WriterMarker(writer, checkpoint)));
    return found;
  }

  @Override
  public synchronized void recover(
      SinkContext context, List<WriterState> writers, Ownership ownership) throws Exception {
    faults.at(Call.RECOVER, Moment.BEFORE, "", 0);
    ownership.check();
    Set<Long> named = new HashSet<>();
    for (WriterState writer : writers) {
      writer.committables().forEach(committable -> named.add(id(committable)));
    }
    prepared.keySet().retainAll(named);
    faults.at(Call.RECOVER, Moment.BEHIND, "", 0);
    for (WriterState writer : writers) {
      for (Committable committable : writer.committables()) {
        if (commit(writer.writer(), committable) instanceof CommitResult.Lost lost) {
          throw new IllegalStateException(lost.what());
        }
      }
    }
  }

  private static long id(Committable committable) {
    return ByteBuffer.wrap(committable.content()).getLong();
  }

  private CommitResult commit(String writer, Committable committable) throws Exception {
    long checkpoint = committable.checkpoint();
    faults.at(Call.COMMIT, Moment.BEFORE, writer, checkpoint);
    Prepared<K, V> output = prepared.remove(id(committable));
    CommitResult result;
    if (markers.getOrDefault(writer, 0L) >= checkpoint) {
      result = new CommitResult.AlreadyCommitted();
    } else if (output == null) {
      result =
          new CommitResult.Lost(
              "output of writer " + writer + " for checkpoint " + checkpoint + " is not there");
    } else {
      markers.put(writer, checkpoint);
      shown.add(new Shown<>(writer, checkpoint, output.records));
      result = new CommitResult.Committed();
    }
    faults.at(Call.COMMIT, Moment.BEHIND, writer, checkpoint);
    return result;
  }

  @Override
  public String describe() {
    return "marked sink";
  }

  private final class Writer implements CommittingWriter<K, V> {
    private final String id;
    private final long openedIn;
    private final boolean checkpointed;
    private final List<Record<K, V>> written = new ArrayList<>();

    Writer(String id, long openedIn, boolean checkpointed) {
      this.id = id;
      this.openedIn = openedIn;
      this.checkpointed = checkpointed;
    }

    private void checkNotFenced() throws FencedWriterException {
      if (openedIn != start) {
        throw new FencedWriterException(id);
      }
    }

    @Override
    @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      written.add(new Record<>(key, value, timestampMillis, headers));
    }

    @Override
    public List<Committable> prepare(long checkpoint) throws Exception {
      synchronized (MarkedSink.this) {
        checkNotFenced();
        faults.at(Call.PREPARE, Moment.BEFORE, id, checkpoint);
        if (written.isEmpty()) {
          return List.of();
        }
        long prepareId = ++lastId;
        prepared.put(prepareId, new Prepared<>(id, List.copyOf(written)));
        written.clear();
        faults.at(Call.PREPARE, Moment.BEHIND, id, checkpoint);
        return List.of(
            new Committable(
                checkpoint, ByteBuffer.allocate(Long.BYTES).putLong(prepareId).array()));
      }
    }

    @Override
    public CommitResult commit(Committable committable) throws Exception {
      synchronized (MarkedSink.this) {
        checkNotFenced();
        return MarkedSink.this.commit(id, committable);
      }
    }

    @Override
    public void finish() throws FencedWriterException {
      synchronized (MarkedSink.this) {
        checkNotFenced();
        if (!checkpointed && !written.isEmpty()) {
          shown.add(new Shown<>(id, 0, written));
          written.clear();
        }
      }
    }
  }
}
