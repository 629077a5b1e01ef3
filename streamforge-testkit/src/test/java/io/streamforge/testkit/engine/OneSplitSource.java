package io.streamforge.testkit.engine;

import io.streamforge.record.Record;
import io.streamforge.source.CursorReader;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records that a test releases one after the other, and that can be read again. */
abstract class OneSplitSource<V> implements Source<String, V> {
  private final Class<V> valueType;

  OneSplitSource(Class<V> valueType) {
    this.valueType = valueType;
  }

  /**
   * The record at a position, which is about to be emitted; null: there is none yet, or no more.
   */
  abstract @Nullable Record<String, V> at(long position);

  /** Whether there will be none at a position where there is none. */
  abstract boolean hasEnded(long position);

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    return () -> List.of(new Split("all", 0));
  }

  @Override
  public SourceReader<String, V> reader(SourceContext context) {
    return new CursorReader<>(
        true,
        1,
        split -> {
          long[] next = {split.position()};
          return (output, index, limit) -> {
            for (int i = 0; i < limit && !output.full(); i++) {
              Record<String, V> record = at(next[0]);
              if (record == null) {
                return hasEnded(next[0]) ? ReadStatus.ENDED : ReadStatus.WAITING;
              }
              output.emit(
                  index, record.key(), record.value(), record.timestampMillis(), null, ++next[0]);
            }
            return ReadStatus.MORE;
          };
        });
  }

  @Override
  public Type keyType() {
    return String.class;
  }

  @Override
  public Type valueType() {
    return valueType;
  }

  @Override
  public boolean hasTimestamps() {
    return true;
  }

  @Override
  public String describe() {
    return "one split";
  }
}
