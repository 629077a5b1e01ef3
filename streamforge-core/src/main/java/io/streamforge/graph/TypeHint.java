package io.streamforge.graph;

import io.streamforge.serde.Serde;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * What the user has said of the types of a stream with {@code typed(...)}; each part may be null:
 * not said.
 *
 * @param keyType type of the keys
 * @param valueType type of the values
 * @param keySerde form of the keys, instead of the one that follows from their type
 * @param valueSerde form of the values, instead of the one that follows from their type
 */
public record TypeHint(
    @Nullable Type keyType,
    @Nullable Type valueType,
    @Nullable Serde<?> keySerde,
    @Nullable Serde<?> valueSerde) {
  /** A hint of the types. */
  public static TypeHint ofTypes(@Nullable Type key, @Nullable Type value) {
    return new TypeHint(key, value, null, null);
  }

  /** A hint of the serialised forms. */
  public static TypeHint ofSerdes(@Nullable Serde<?> key, @Nullable Serde<?> value) {
    return new TypeHint(null, null, key, value);
  }

  /** This hint with what it does not say taken from {@code earlier}. */
  public TypeHint over(@Nullable TypeHint earlier) {
    if (earlier == null) {
      return this;
    }
    return new TypeHint(
        keyType != null ? keyType : earlier.keyType,
        valueType != null ? valueType : earlier.valueType,
        keySerde != null ? keySerde : earlier.keySerde,
        valueSerde != null ? valueSerde : earlier.valueSerde);
  }
}
