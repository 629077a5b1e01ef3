package io.streamforge.function;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.TypeRef;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Aggregators made of others. */
final class Compositions {
  private Compositions() {}

  /** What the compositions share. */
  private interface Composed<V, R> extends Aggregator<V, Object[], R> {
    AggregatorParts parts();

    @Override
    default Object[] create() throws Exception {
      return parts().create();
    }

    @Override
    default Object[] add(Object[] accumulator, V value) throws Exception {
      return parts().add(accumulator, value);
    }

    @Override
    default Object[] copy(Object[] accumulator) {
      return parts().copy(accumulator);
    }

    @Override
    default Object[] merge(Object[] into, Object[] from) throws Exception {
      return parts().merge(into, from);
    }

    @Override
    default Object[] subtract(Object[] from, Object[] part) throws Exception {
      return parts().subtract(from, part);
    }

    @Override
    default boolean mergeable() {
      return parts().mergeable();
    }

    @Override
    default boolean subtractable() {
      return parts().subtractable();
    }

    @Override
    default @Nullable Type valueType() {
      return parts().valueType();
    }

    @Override
    default Type accumulatorType() {
      return Object[].class;
    }

    @Override
    default Inferred accumulatorForm(Inferred values) {
      return parts().form(values);
    }
  }

  record Both<V, A, B, R>(
      AggregatorParts parts, Combiner<? super A, ? super B, ? extends R> combiner)
      implements Composed<V, R> {
    Both {
      Objects.requireNonNull(combiner, "combiner");
    }

    @Override
    @SuppressWarnings("unchecked") // the parts are those that the combiner was declared with
    public R result(Object[] accumulator) throws Exception {
      return combiner.apply((A) parts.result(0, accumulator), (B) parts.result(1, accumulator));
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public @Nullable ColumnAggregator<V, R> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) ->
              combiner.apply(
                  (A) p[0].resultAt(accumulators, at),
                  (B) p[1].resultAt(accumulators, at + offsets[1])));
    }

    @Override
    public @Nullable Type resultType() {
      return Aggregates.resultOf(combiner, Combiner.class);
    }

    @Override
    public String toString() {
      return "both(" + parts + ")";
    }
  }

  record Three<V, A, B, C, R>(
      AggregatorParts parts, Combiner3<? super A, ? super B, ? super C, ? extends R> combiner)
      implements Composed<V, R> {
    Three {
      Objects.requireNonNull(combiner, "combiner");
    }

    @Override
    @SuppressWarnings("unchecked") // the parts are those that the combiner was declared with
    public R result(Object[] accumulator) throws Exception {
      return combiner.apply(
          (A) parts.result(0, accumulator),
          (B) parts.result(1, accumulator),
          (C) parts.result(2, accumulator));
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public @Nullable ColumnAggregator<V, R> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) ->
              combiner.apply(
                  (A) p[0].resultAt(accumulators, at),
                  (B) p[1].resultAt(accumulators, at + offsets[1]),
                  (C) p[2].resultAt(accumulators, at + offsets[2])));
    }

    @Override
    public @Nullable Type resultType() {
      return Aggregates.resultOf(combiner, Combiner3.class);
    }

    @Override
    public String toString() {
      return "three(" + parts + ")";
    }
  }

  record All<V>(List<String> names, AggregatorParts parts)
      implements Composed<V, Map<String, Object>> {
    @Override
    public Map<String, Object> result(Object[] accumulator) throws Exception {
      Map<String, Object> results = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        results.put(names.get(i), parts.result(i, accumulator));
      }
      return Collections.unmodifiableMap(results);
    }

    @Override
    public @Nullable ColumnAggregator<V, Map<String, Object>> columnar() {
      return ColumnParts.of(
          parts,
          (p, offsets, accumulators, at) -> {
            Map<String, Object> results = new LinkedHashMap<>();
            for (int i = 0; i < p.length; i++) {
              results.put(names.get(i), p[i].resultAt(accumulators, at + offsets[i]));
            }
            return Collections.unmodifiableMap(results);
          });
    }

    @Override
    public Type resultType() {
      return new TypeRef<Map<String, Object>>() {}.type();
    }

    @Override
    public String toString() {
      return "all(" + parts + ")";
    }
  }
}
