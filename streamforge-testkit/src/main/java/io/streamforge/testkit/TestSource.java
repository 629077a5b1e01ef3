package io.streamforge.testkit;

import io.streamforge.record.Headers;
import io.streamforge.source.CursorReader;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitCursor;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A source that a test fills, in place of the one that the topology names. */
final class TestSource implements Source<Object, Object> {
  private sealed interface Item {}

  private record Piped(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      implements Item {}

  private record Watermark(long millis) implements Item {}

  private record Backlog(long records) implements Item {}

  /** One split of it. */
  static final class Partition implements SplitCursor<Object, Object> {
    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private boolean ended;
    private long position;
    private Runnable wake = () -> {};

    void pipe(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers) {
      add(new Piped(key, value, timestampMillis, headers));
    }

    void watermark(long millis) {
      add(new Watermark(millis));
    }

    void backlog(long records) {
      add(new Backlog(records));
    }

    private void add(Item item) {
      if (ended) {
        throw new IllegalStateException("the input has been ended");
      }
      items.add(item);
      wake.run();
    }

    void end() {
      ended = true;
      wake.run();
    }

    @Override
    public ReadStatus read(RecordOutput<Object, Object> output, int split, int limit) {
      for (int i = 0; i < limit && !output.full(); i++) {
        Item item = items.poll();
        if (item instanceof Piped p) {
          output.emit(split, p.key, p.value, p.timestampMillis, p.headers, ++position);
        } else if (item instanceof Watermark w) {
          output.watermark(split, w.millis);
        } else if (item instanceof Backlog b) {
          output.backlog(split, b.records);
        } else {
          return ended ? ReadStatus.ENDED : ReadStatus.WAITING;
        }
      }
      return ReadStatus.MORE;
    }
  }

  private final Source<?, ?> original;
  private final List<Partition> partitions = new ArrayList<>();

  TestSource(Source<?, ?> original, int partitions) {
    this.original = original;
    for (int i = 0; i < partitions; i++) {
      this.partitions.add(new Partition());
    }
  }

  Partition partition(int index) {
    if (index < 0 || index >= partitions.size()) {
      throw new IllegalArgumentException(
          "partition " + index + " of " + partitions.size() + "; see Builder.partitions");
    }
    return partitions.get(index);
  }

  void end() {
    partitions.forEach(Partition::end);
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    return () -> {
      List<Split> splits = new ArrayList<>();
      for (int i = 0; i < partitions.size(); i++) {
        splits.add(new Split(String.valueOf(i), 0));
      }
      return splits;
    };
  }

  @Override
  public SourceReader<Object, Object> reader(SourceContext context) {
    return new CursorReader<>(
        false,
        60_000,
        split -> {
          Partition partition = partitions.get(Integer.parseInt(split.id()));
          partition.wake = context.wake();
          return partition;
        });
  }

  @Override
  public @Nullable Type keyType() {
    return original.keyType();
  }

  @Override
  public @Nullable Type valueType() {
    return original.valueType();
  }

  @Override
  public boolean hasTimestamps() {
    return true;
  }

  @Override
  public String describe() {
    return "test input instead of " + original.describe();
  }
}
