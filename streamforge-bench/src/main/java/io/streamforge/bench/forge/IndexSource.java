package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Chunks;
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
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * The cheapest source that the contract allows: values made of the index and nothing else, one
 * split a task, split {@code j} of {@code n} having the indexes {@code j}, {@code j + n}, … The
 * position of a split is its next index, so it goes on at the same parallelism only.
 *
 * @param type of the values
 * @param values makes the value of an index
 * @param timestamps makes its event time
 */
record IndexSource<V>(Class<V> type, LongFunction<V> values, LongUnaryOperator timestamps)
    implements Source<Void, V> {

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    List<Split> left = new ArrayList<>();
    for (int i = 0; i < context.parallelism(); i++) {
      left.add(new Split(Integer.toString(i), 0));
    }
    return () -> {
      List<Split> found = List.copyOf(left);
      left.clear();
      return found;
    };
  }

  @Override
  public SourceReader<Void, V> reader(SourceContext context) {
    return new CursorReader<>(false, 1, split -> new Cursor(split, context.parallelism()));
  }

  @Override
  public Type keyType() {
    return Void.class;
  }

  @Override
  public Type valueType() {
    return type;
  }

  @Override
  public boolean hasTimestamps() {
    return true;
  }

  @Override
  public String describe() {
    return "records by index";
  }

  private final class Cursor implements SplitCursor<Void, V> {
    private final Chunks chunks;
    private final int stride;
    private long index;

    Cursor(Split split, int stride) {
      int first = Integer.parseInt(split.id());
      this.chunks = new Chunks(first, stride);
      this.stride = stride;
      this.index = first;
      if (split.position() > 0) {
        chunks.goOn(split.position());
        index = split.position();
      }
    }

    @Override
    public ReadStatus read(RecordOutput<Void, V> output, int split, int limit) {
      if (index >= chunks.to() && !chunks.advance()) {
        return ReadStatus.ENDED;
      }
      if (chunks.from() == chunks.to()) {
        return ReadStatus.WAITING;
      }
      long at = index;
      long end = Math.min(chunks.to(), at + (long) limit * stride);
      for (; at < end && !output.full(); at += stride) {
        index = at + stride;
        output.emit(split, null, values.apply(at), timestamps.applyAsLong(at), null, index);
      }
      return ReadStatus.MORE;
    }
  }
}
