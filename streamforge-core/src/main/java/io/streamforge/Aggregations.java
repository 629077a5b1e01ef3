package io.streamforge;

import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Reducer;
import io.streamforge.function.ToDouble;
import io.streamforge.function.ToLong;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node.Aggregation;
import java.util.Objects;

/** What the aggregates of keyed and of windowed streams share. */
final class Aggregations {
  private Aggregations() {}

  static Aggregation count() {
    return new Aggregation("count", Aggregates.count(), null);
  }

  static <V> Aggregation sum(ToLong<? super V> part) {
    return new Aggregation("sum", Aggregates.sum(part), part);
  }

  static <V> Aggregation sumDouble(ToDouble<? super V> part) {
    return new Aggregation("sumDouble", Aggregates.sumDouble(part), part);
  }

  static <V, C extends Comparable<? super C>> Aggregation min(
      ValueMapper<? super V, ? extends C> part) {
    return new Aggregation("min", Aggregates.<V, C>min(part), part);
  }

  static <V, C extends Comparable<? super C>> Aggregation max(
      ValueMapper<? super V, ? extends C> part) {
    return new Aggregation("max", Aggregates.<V, C>max(part), part);
  }

  static <V> Aggregation average(ToDouble<? super V> part) {
    return new Aggregation("average", Aggregates.average(part), part);
  }

  static <V> Aggregation reduce(Reducer<V> reducer) {
    return new Aggregation("reduce", Aggregates.reduce(reducer), reducer);
  }

  static Aggregation aggregate(Aggregator<?, ?, ?> aggregator) {
    return new Aggregation("aggregate", Objects.requireNonNull(aggregator, "aggregator"), null);
  }
}
