package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ColumnAggregator;
import io.streamforge.serde.Inferred;
import io.streamforge.specialise.Specialised;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * An aggregator that may reject a value when it is added; the accumulator is as before then, since
 * values are added to a copy where there is one. What fails otherwise concerns many records and is
 * passed on.
 */
@Specialised
final class GuardedAggregator implements Aggregator<Object, Object, Object> {
  private static final long serialVersionUID = 1L;

  private final transient Aggregator<Object, Object, Object> inner;
  private final transient Guard.Thrown thrown;

  GuardedAggregator(Aggregator<Object, Object, Object> inner, Guard.Thrown thrown) {
    this.inner = inner;
    this.thrown = thrown;
  }

  @Override
  public Object create() throws Exception {
    return inner.create();
  }

  @Override
  public Object add(Object accumulator, Object value) throws Exception {
    Object copy = inner.copy(accumulator);
    try {
      return inner.add(copy == null ? accumulator : copy, value);
    } catch (Exception e) {
      throw thrown.instead(e);
    }
  }

  @Override
  public @Nullable Object copy(Object accumulator) {
    return inner.copy(accumulator);
  }

  @Override
  public Object merge(Object into, Object from) throws Exception {
    return inner.merge(into, from);
  }

  @Override
  public Object result(Object accumulator) throws Exception {
    return inner.result(accumulator);
  }

  @Override
  public boolean mergeable() {
    return inner.mergeable();
  }

  @Override
  public boolean subtractable() {
    return inner.subtractable();
  }

  @Override
  public Object subtract(Object from, Object part) throws Exception {
    return inner.subtract(from, part);
  }

  @Override
  public @Nullable ColumnAggregator<Object, Object> columnar() {
    ColumnAggregator<Object, Object> columnar = inner.columnar();
    return columnar == null ? null : new Columns(columnar, thrown);
  }

  @Override
  public @Nullable Type valueType() {
    return inner.valueType();
  }

  @Override
  public @Nullable Type accumulatorType() {
    return inner.accumulatorType();
  }

  @Override
  public Inferred accumulatorForm(Inferred values) {
    return inner.accumulatorForm(values);
  }

  @Override
  public @Nullable Type resultType() {
    return inner.resultType();
  }

  /** The same in columns. For one thread. */
  static final class Columns implements ColumnAggregator<Object, Object> {
    private final ColumnAggregator<Object, Object> inner;
    private final Guard.Thrown thrown;
    private final long[] copy;

    Columns(ColumnAggregator<Object, Object> inner, Guard.Thrown thrown) {
      this.inner = inner;
      this.thrown = thrown;
      this.copy = new long[inner.columns()];
    }

    @Override
    public int columns() {
      return inner.columns();
    }

    @Override
    public String form() {
      return inner.form();
    }

    @Override
    public void addAt(long[] accumulators, int at, Object value) throws Exception {
      System.arraycopy(accumulators, at, copy, 0, copy.length);
      try {
        inner.addAt(copy, 0, value);
      } catch (Exception e) {
        throw thrown.instead(e);
      }
      System.arraycopy(copy, 0, accumulators, at, copy.length);
    }

    @Override
    public void mergeAt(long[] into, int at, long[] from, int fromAt) throws Exception {
      inner.mergeAt(into, at, from, fromAt);
    }

    @Override
    public void subtractAt(long[] from, int at, long[] part, int partAt) throws Exception {
      inner.subtractAt(from, at, part, partAt);
    }

    @Override
    public boolean subtractable() {
      return inner.subtractable();
    }

    @Override
    public Object resultAt(long[] accumulators, int at) throws Exception {
      return inner.resultAt(accumulators, at);
    }
  }
}
