package io.streamforge.state;

/**
 * Where a processor declares its state. A name is letters, digits, '-', '_' and '.', unique within
 * the node; node name and state name identify state for ever.
 */
public interface StateDeclarations {
  /** A value for each key. */
  <T> ValueState<T> value(String name, Class<T> type);

  /** A primitive long for each key. */
  LongState longValue(String name);

  /** A list for each key. */
  <T> ListState<T> list(String name, Class<T> elementType);

  /** A map for each key. */
  <F, T> MapState<F, T> map(String name, Class<F> fieldType, Class<T> valueType);
}
