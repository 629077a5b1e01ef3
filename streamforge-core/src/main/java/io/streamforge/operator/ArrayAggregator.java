package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ColumnAggregator;
import io.streamforge.serde.Inferred;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * A columnar aggregator for hosts that keep each accumulator as an object: an array of its longs,
 * which is changed in place. Boxes would be made anew for every record, and the garbage collector
 * would look for them in all accumulators.
 */
@Specialised
public final class ArrayAggregator implements Aggregator<Object, Object, Object> {
  private static final long serialVersionUID = 1L;

  private final transient ColumnAggregator<Object, Object> columnar;

  private ArrayAggregator(ColumnAggregator<Object, Object> columnar) {
    this.columnar = columnar;
  }

  /** The aggregator itself, unless it has a columnar form. */
  public static Aggregator<Object, Object, Object> orItself(
      Aggregator<Object, Object, Object> aggregator) {
    ColumnAggregator<Object, Object> columnar = aggregator.columnar();
    return columnar == null ? aggregator : new ArrayAggregator(columnar);
  }

  @Override
  public Inferred accumulatorForm(Inferred values) {
    return new Inferred.Found(new LongsSerde(columnar.columns(), columnar.form()));
  }

  @Override
  public Object create() {
    return new long[columnar.columns()];
  }

  @Override
  public Object add(Object accumulator, @Nullable Object value) throws Exception {
    columnar.addAt((long[]) accumulator, 0, Values.cast(value));
    return accumulator;
  }

  @Override
  public Object merge(Object into, Object from) throws Exception {
    columnar.mergeAt((long[]) into, 0, (long[]) from, 0);
    return into;
  }

  @Override
  public Object result(Object accumulator) throws Exception {
    return columnar.resultAt((long[]) accumulator, 0);
  }
}
