package io.streamforge.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.record.Headers;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Reads a source as a job does, with outputs that are soon full, and checks what every source has
 * to do. Not thread-safe, apart from the count of wake-ups.
 */
public final class SourceHarness<K, V> {
  /** One record. */
  public record Emitted<K, V>(
      String split, K key, V value, long timestampMillis, Headers headers, long nextPosition) {}

  /** Something that was read and yielded no record. */
  public record Skipped(String split, String reason, long nextPosition) {}

  private final Source<K, V> source;
  private final FakeClock clock = new FakeClock();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final List<Emitted<K, V>> emitted = new ArrayList<>();
  private final List<Skipped> skipped = new ArrayList<>();
  private final Set<String> ended = new HashSet<>();
  private final List<Split> splits = new ArrayList<>();
  private int room = 3;
  private int parallelism = 1;

  /** Reads this source. */
  public SourceHarness(Source<K, V> source) {
    this.source = source;
  }

  /** How many records the output takes before it is full; 3 unless it is set. */
  public SourceHarness<K, V> room(int room) {
    this.room = room;
    return this;
  }

  /** How many tasks the job has; 1 unless it is set. */
  public SourceHarness<K, V> parallelism(int parallelism) {
    this.parallelism = parallelism;
    return this;
  }

  /** The job's clock. */
  public FakeClock clock() {
    return clock;
  }

  /** What the source is told about the job. */
  public SourceContext context(int task) {
    return new SourceContext("job", "in", task, parallelism, clock, wakeUps::incrementAndGet);
  }

  /** How often the source has called the job. */
  public int wakeUps() {
    return wakeUps.get();
  }

  /** All splits that the source has now. */
  public List<Split> discover() throws Exception {
    try (SplitEnumerator enumerator = source.enumerator(context(0))) {
      return enumerator.discover();
    }
  }

  /** The splits that the source finds where a job goes on that knows these. */
  public List<Split> discoverBeside(List<Split> known) throws Exception {
    try (SplitEnumerator enumerator = source.enumerator(context(0))) {
      enumerator.restore(known);
      return enumerator.discover();
    }
  }

  /** A reader of these splits. */
  public SourceReader<K, V> open(List<Split> assigned) throws Exception {
    SourceReader<K, V> reader = source.reader(context(0));
    splits.clear();
    for (Split split : assigned) {
      reader.add(split);
      splits.add(split);
    }
    return reader;
  }

  /** Reads until the output is full or there is nothing more. */
  public ReadStatus read(SourceReader<K, V> reader) throws Exception {
    return reader.read(new Output());
  }

  /** Reads on while there is more. */
  public ReadStatus drain(SourceReader<K, V> reader) throws Exception {
    ReadStatus status;
    do {
      status = read(reader);
    } while (status == ReadStatus.MORE);
    return status;
  }

  /** Reads all splits to their end. */
  public SourceHarness<K, V> readAll() throws Exception {
    return readAll(discover());
  }

  /** Reads these splits to their end. */
  public SourceHarness<K, V> readAll(List<Split> assigned) throws Exception {
    try (SourceReader<K, V> reader = open(assigned)) {
      assertThat(drain(reader)).isEqualTo(ReadStatus.ENDED);
      assertThat(ended)
          .containsExactlyInAnyOrderElementsOf(assigned.stream().map(Split::id).toList());
    }
    return this;
  }

  /** What has been emitted so far. */
  public List<Emitted<K, V>> emitted() {
    return emitted;
  }

  /** Its values. */
  public List<V> values() {
    return emitted.stream().map(Emitted::value).toList();
  }

  /** The values of one split. */
  public List<V> values(String split) {
    return ofSplit(split).stream().map(Emitted::value).toList();
  }

  private List<Emitted<K, V>> ofSplit(String split) {
    return emitted.stream().filter(each -> each.split.equals(split)).toList();
  }

  /** What was skipped so far. */
  public List<Skipped> skipped() {
    return skipped;
  }

  /** Opens each split at each position that a record ended at: the rest must follow exactly. */
  public static <K, V> void checkRestarts(Source<K, V> source) throws Exception {
    SourceHarness<K, V> whole = new SourceHarness<>(source).readAll();
    for (Split split : whole.discover()) {
      List<Emitted<K, V>> records = whole.ofSplit(split.id());
      for (int i = 0; i < records.size(); i++) {
        Split from = new Split(split.id(), records.get(i).nextPosition());
        assertThat(new SourceHarness<>(source).readAll(List.of(from)).emitted())
            .as("restart of %s", from)
            .isEqualTo(records.subList(i + 1, records.size()));
      }
    }
  }

  private final class Output implements RecordOutput<K, V> {
    private int left = room;

    @Override
    public boolean full() {
      return left == 0;
    }

    @Override
    public boolean paused(int split) {
      return false;
    }

    private String check(int split) {
      String id = splits.get(split).id();
      assertThat(full()).as("emitted when full").isFalse();
      assertThat(ended).as("emitted behind the end").doesNotContain(id);
      left--;
      return id;
    }

    @Override
    public void emit(
        int split, K key, V value, long timestampMillis, Headers headers, long nextPosition) {
      String id = check(split);
      emitted.add(new Emitted<>(id, key, value, timestampMillis, headers, nextPosition));
    }

    @Override
    public void watermark(int split, long watermarkMillis) {}

    @Override
    public void skip(int split, String reason, long nextPosition) {
      skipped.add(new Skipped(check(split), Objects.requireNonNull(reason), nextPosition));
    }

    @Override
    public void end(int split) {
      assertThat(ended.add(splits.get(split).id())).isTrue();
    }

    @Override
    public void backlog(int split, long records) {
      assertThat(records).isNotNegative();
    }
  }
}
