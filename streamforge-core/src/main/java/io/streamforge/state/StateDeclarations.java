package io.streamforge.state;

import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;

/**
 * Where a processor declares its state. A name is letters, digits, '-', '_' and '.', unique within
 * the node; node name and state name identify state for ever, see {@link #previously}.
 */
public interface StateDeclarations {
  /**
   * Declares states whose content expires. This one goes on declaring states that keep what they
   * hold.
   */
  StateDeclarations expiring(TimeToLive timeToLive);

  /**
   * Declares a state that had another name: a checkpoint that has it under that one is restored.
   * Called again on what it returns, it adds a further name. It may stay when there are checkpoints
   * with the new name; a checkpoint that has both is refused.
   *
   * <pre>{@code
   * total = states.previously("sum").longValue("total");
   * }</pre>
   *
   * @param oldName no state that the processor declares is called so
   */
  StateDeclarations previously(String oldName);

  /** A value for each key, of a type whose serde can be inferred. */
  default <T> ValueState<T> value(String name, Class<T> type) {
    return value(name, Serdes.of(type));
  }

  /** A value for each key. */
  <T> ValueState<T> value(String name, Serde<T> serde);

  /** A primitive long for each key. */
  LongState longValue(String name);

  /** A list for each key, of elements whose serde can be inferred. */
  default <T> ListState<T> list(String name, Class<T> elementType) {
    return list(name, Serdes.of(elementType));
  }

  /** A list for each key. */
  <T> ListState<T> list(String name, Serde<T> elements);

  /** A map for each key, of types whose serdes can be inferred. */
  default <F, T> MapState<F, T> map(String name, Class<F> fieldType, Class<T> valueType) {
    return map(name, Serdes.of(fieldType), Serdes.of(valueType));
  }

  /** A map for each key. */
  <F, T> MapState<F, T> map(String name, Serde<F> fields, Serde<T> values);
}
