package io.streamforge.function;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serdes;
import java.io.Serializable;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Folds the values of a key, or of a key and window, into an accumulator and an accumulator into a
 * result.
 *
 * <p>An accumulator belongs to the engine between calls: keep no reference to it. {@code add},
 * {@code merge} and {@code subtract} may change their first argument and return it, or return a new
 * one; they never change their second. The order of additions within a key is that of arrival;
 * accumulators are merged in the order of event time.
 *
 * @param <V> values
 * @param <A> accumulators
 * @param <R> results
 */
public interface Aggregator<V, A, R> extends Serializable {
  /** A new accumulator that has seen nothing. */
  A create() throws Exception;

  /** The accumulator after one more value. */
  A add(A accumulator, V value) throws Exception;

  /**
   * The accumulator of both; {@code from} is the later one in event time and is not changed. Never
   * called when {@link #mergeable()} is false.
   */
  A merge(A into, A from) throws Exception;

  /**
   * What is emitted: a new or an immutable object, never the accumulator or a part of it that a
   * later call changes.
   */
  R result(A accumulator) throws Exception;

  /**
   * Whether {@link #merge} works. Without it windows keep an accumulator each instead of sharing
   * slices, and session windows are refused.
   */
  default boolean mergeable() {
    return true;
  }

  /** Whether {@link #subtract} works. */
  default boolean subtractable() {
    return false;
  }

  /** The inverse of {@link #merge}: the accumulator without {@code part}, which is not changed. */
  default A subtract(A from, A part) throws Exception {
    throw new UnsupportedOperationException(getClass().getName() + " does not subtract");
  }

  /**
   * A copy of an accumulator that {@link #add} may change without changing the other; null when add
   * does not change its argument, or when there is no copy. In a node whose error policy is not to
   * fail, a value is added to the copy: when it is rejected half way, nothing of it is left.
   */
  default @Nullable A copy(A accumulator) {
    return null;
  }

  /**
   * The same aggregation over accumulators that are a few longs each, which hosts then use instead;
   * null when it needs objects.
   */
  default @Nullable ColumnAggregator<V, R> columnar() {
    return null;
  }

  /** Type of the values; null: it is read from the class, where that names it. */
  default @Nullable Type valueType() {
    return null;
  }

  /** Type of the accumulators; null: it is read from the class, where that names it. */
  default @Nullable Type accumulatorType() {
    return null;
  }

  /**
   * How accumulators are written to checkpoints, or why they cannot be. Inferred from their type
   * unless an aggregator says otherwise.
   *
   * @param values form of the values
   */
  default Inferred accumulatorForm(Inferred values) {
    Type type = accumulatorType();
    if (type == null) {
      type = TypeArguments.of(getClass(), Aggregator.class, 1);
    }
    return type == null
        ? new Inferred.Missing(
            getClass().getName() + " does not name their type; return it in accumulatorType()")
        : Serdes.infer(type);
  }

  /** Type of the results; null: it is read from the class, where that names it. */
  default @Nullable Type resultType() {
    return null;
  }
}
