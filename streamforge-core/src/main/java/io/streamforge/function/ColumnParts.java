package io.streamforge.function;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several aggregators whose accumulators are longs, side by side. */
final class ColumnParts<V, R> implements ColumnAggregator<V, R> {
  private final ColumnAggregator<Object, Object>[] parts;
  private final int[] offsets;
  private final int columns;
  private final Results<R> results;

  /** Makes the result of those of the parts. */
  interface Results<R> {
    R of(ColumnAggregator<Object, Object>[] parts, int[] offsets, long[] accumulators, int at)
        throws Exception;
  }

  private ColumnParts(ColumnAggregator<Object, Object>[] parts, Results<R> results) {
    this.parts = parts;
    this.results = results;
    this.offsets = new int[parts.length];
    int next = 0;
    for (int i = 0; i < parts.length; i++) {
      offsets[i] = next;
      next += parts[i].columns();
    }
    this.columns = next;
  }

  @SuppressWarnings("unchecked") // as in AggregatorParts
  static <V, R> @Nullable ColumnParts<V, R> of(AggregatorParts parts, Results<R> results) {
    ColumnAggregator<Object, Object>[] columnar = new ColumnAggregator[parts.parts.length];
    for (int i = 0; i < columnar.length; i++) {
      ColumnAggregator<Object, Object> part = parts.parts[i].columnar();
      if (part == null) {
        return null;
      }
      columnar[i] = part;
    }
    return new ColumnParts<>(columnar, results);
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public String form() {
    StringBuilder form = new StringBuilder();
    for (ColumnAggregator<Object, Object> part : parts) {
      form.append(form.isEmpty() ? "" : ", ").append(part.form()).append(part.columns());
    }
    return form.toString();
  }

  @Override
  public void addAt(long[] accumulators, int at, V value) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      parts[i].addAt(accumulators, at + offsets[i], value);
    }
  }

  @Override
  public void mergeAt(long[] into, int at, long[] from, int fromAt) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      parts[i].mergeAt(into, at + offsets[i], from, fromAt + offsets[i]);
    }
  }

  @Override
  public void subtractAt(long[] from, int at, long[] part, int partAt) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      parts[i].subtractAt(from, at + offsets[i], part, partAt + offsets[i]);
    }
  }

  @Override
  public boolean subtractable() {
    return List.of(parts).stream().allMatch(ColumnAggregator::subtractable);
  }

  @Override
  public R resultAt(long[] accumulators, int at) throws Exception {
    return results.of(parts, offsets, accumulators, at);
  }
}
