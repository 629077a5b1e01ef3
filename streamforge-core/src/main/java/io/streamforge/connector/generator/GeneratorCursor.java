package io.streamforge.connector.generator;

import io.streamforge.connector.generator.GeneratorSource.Maker;
import io.streamforge.connector.generator.GeneratorSource.Records;
import io.streamforge.connector.generator.GeneratorSource.Values;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SplitCursor;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the elements of one split. Its loops are hot: they allocate nothing themselves. */
final class GeneratorCursor<K, V> implements SplitCursor<K, V> {
  /**
   * Split {@code split} of {@code splits}, which has the elements with the indexes {@code split},
   * {@code split + splits} and so on. The id of a split is its text.
   */
  record Share(int split, int splits) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

    /** Null for what is no id of a split of a generator. */
    static @Nullable Share parse(String id) {
      Matcher matcher = TEXT.matcher(id);
      if (!matcher.matches()) {
        return null;
      }
      Share share =
          new Share(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
      return share.split < share.splits ? share : null;
    }

    @Override
    public String toString() {
      return split + "/" + splits;
    }
  }

  private final Maker<K, V> maker;
  private final IndexRandom random;
  private final @Nullable LongUnaryOperator timestamps;
  private final long count;
  private final Pace pace;
  private final int stride;
  private final long firstIndex;
  private long index;
  private long position;

  GeneratorCursor(
      Maker<K, V> maker,
      IndexRandom random,
      @Nullable LongUnaryOperator timestamps,
      long count,
      Pace pace,
      Share share,
      long position) {
    this.maker = maker;
    this.random = random;
    this.timestamps = timestamps;
    this.count = count;
    this.pace = pace;
    this.stride = share.splits();
    this.firstIndex = position * stride;
    this.index = firstIndex + share.split();
    this.position = position;
  }

  @Override
  public ReadStatus read(RecordOutput<K, V> output, int split, int limit) {
    long due = pace.due();
    long end = due > count - firstIndex ? count : firstIndex + due;
    if (maker instanceof Values<?> values) {
      emitValues(values.function(), cast(output), split, limit, end);
    } else if (maker instanceof Records<K, V> records) {
      emitRecords(records.function(), output, split, limit, end);
    }
    if (index >= count) {
      return ReadStatus.ENDED;
    }
    return index < end ? ReadStatus.MORE : ReadStatus.WAITING;
  }

  @SuppressWarnings("unchecked") // A maker of values is one with the key Void.
  private static <T> RecordOutput<Void, T> cast(RecordOutput<?, ?> output) {
    return (RecordOutput<Void, T>) output;
  }

  private <T> void emitValues(
      ValueGenerator<T> function, RecordOutput<Void, T> output, int split, int limit, long end) {
    for (int i = 0; i < limit && index < end && !output.full(); i++) {
      random.seek(index);
      T value;
      try {
        value = function.at(index, random);
      } catch (Exception e) {
        throw failed(e);
      }
      long timestamp =
          timestamps == null ? RecordOutput.NO_TIMESTAMP : timestamps.applyAsLong(index);
      index += stride;
      output.emit(split, null, value, timestamp, null, ++position);
    }
  }

  private void emitRecords(
      RecordGenerator<K, V> function, RecordOutput<K, V> output, int split, int limit, long end) {
    for (int i = 0; i < limit && index < end && !output.full(); i++) {
      random.seek(index);
      Record<K, V> made;
      try {
        made = function.at(index, random);
      } catch (Exception e) {
        throw failed(e);
      }
      long timestamp = timestamps == null ? made.timestampMillis() : timestamps.applyAsLong(index);
      index += stride;
      output.emit(split, made.key(), made.value(), timestamp, made.headers(), ++position);
    }
  }

  private StreamForgeException failed(Exception cause) {
    return new StreamForgeException(
        ErrorCode.FUNCTION_FAILED,
        ErrorContext.position("element " + index),
        "the generator's function failed: " + cause,
        "Mend the function that makes the elements.",
        cause);
  }
}
