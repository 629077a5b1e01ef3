package io.streamforge.function;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several aggregators and their accumulators side by side. */
final class AggregatorParts implements java.io.Serializable {
  private static final long serialVersionUID = 1L;

  final Aggregator<Object, Object, Object>[] parts;

  @SuppressWarnings("unchecked") // each accumulator meets only the aggregator that made it
  AggregatorParts(List<? extends Aggregator<?, ?, ?>> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("at least one aggregate is needed");
    }
    this.parts = parts.toArray(new Aggregator[0]);
  }

  Object[] create() throws Exception {
    Object[] accumulators = new Object[parts.length];
    for (int i = 0; i < parts.length; i++) {
      accumulators[i] = parts[i].create();
    }
    return accumulators;
  }

  Object[] add(Object[] accumulators, Object value) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      accumulators[i] = parts[i].add(accumulators[i], value);
    }
    return accumulators;
  }

  Object[] copy(Object[] accumulators) {
    Object[] copies = accumulators.clone();
    for (int i = 0; i < parts.length; i++) {
      Object copy = parts[i].copy(accumulators[i]);
      copies[i] = copy == null ? accumulators[i] : copy;
    }
    return copies;
  }

  Object[] merge(Object[] into, Object[] from) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      into[i] = parts[i].merge(into[i], from[i]);
    }
    return into;
  }

  Object[] subtract(Object[] from, Object[] part) throws Exception {
    for (int i = 0; i < parts.length; i++) {
      from[i] = parts[i].subtract(from[i], part[i]);
    }
    return from;
  }

  Object result(int i, Object[] accumulators) throws Exception {
    return parts[i].result(accumulators[i]);
  }

  boolean mergeable() {
    return List.of(parts).stream().allMatch(Aggregator::mergeable);
  }

  boolean subtractable() {
    return List.of(parts).stream().allMatch(Aggregator::subtractable);
  }

  /** How the accumulators are written: one after the other. */
  Inferred form(Inferred values) {
    List<Serde<?>> serdes = new ArrayList<>();
    for (Aggregator<?, ?, ?> part : parts) {
      Inferred form = part.accumulatorForm(values);
      if (form instanceof Inferred.Missing missing) {
        return new Inferred.Missing(missing.reason() + " (in " + part + ")");
      }
      serdes.add(((Inferred.Found) form).serde());
    }
    return new Inferred.Found(Serdes.tuple(serdes));
  }

  @Nullable Type valueType() {
    for (Aggregator<?, ?, ?> part : parts) {
      Type type = part.valueType();
      if (type == null) {
        type = parameterOf(part);
      }
      if (type != null && type != Object.class) {
        return type;
      }
    }
    return null;
  }

  private static @Nullable Type parameterOf(Aggregator<?, ?, ?> part) {
    return isOurs(part.getClass()) ? null : TypeArguments.of(part.getClass(), Aggregator.class, 0);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Aggregator<?, ?, ?> part : parts) {
      text.append(text.isEmpty() ? "" : ", ").append(part);
    }
    return text.toString();
  }

  /** Whether it has told its type already, if there is one to tell. */
  private static boolean isOurs(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    return outer == Aggregates.class || outer == Compositions.class;
  }
}
