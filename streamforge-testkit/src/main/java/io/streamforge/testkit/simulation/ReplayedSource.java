package io.streamforge.testkit.simulation;

import io.streamforge.record.Record;
import io.streamforge.source.CursorReader;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of records in place of a source, each a split that can be read from any position. */
final class ReplayedSource implements Source<Object, Object> {
  private static final long POLL_MILLIS = 5;

  private final Source<?, ?> original;
  private final List<List<Record<Object, Object>>> partitions;
  private final boolean blocking;

  ReplayedSource(
      Source<?, ?> original, List<List<Record<Object, Object>>> partitions, boolean blocking) {
    this.original = original;
    this.partitions = partitions;
    this.blocking = blocking;
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
        blocking,
        POLL_MILLIS,
        split -> {
          List<Record<Object, Object>> records = partitions.get(Integer.parseInt(split.id()));
          int[] next = {Math.toIntExact(split.position())};
          return (output, index, limit) -> {
            for (int i = 0; i < limit && !output.full() && next[0] < records.size(); i++) {
              Record<Object, Object> record = records.get(next[0]);
              output.emit(
                  index,
                  record.key(),
                  record.value(),
                  record.timestampMillis(),
                  record.headers(),
                  ++next[0]);
            }
            return next[0] < records.size() ? ReadStatus.MORE : ReadStatus.ENDED;
          };
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
    return "replayed input instead of " + original.describe();
  }
}
