package io.streamforge.graph;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A generic class with arguments, where reflection has none to offer. */
record ParameterizedTypes(Class<?> raw, List<Type> arguments) implements ParameterizedType {
  @Override
  public Type[] getActualTypeArguments() {
    return arguments.toArray(new Type[0]);
  }

  @Override
  public Type getRawType() {
    return raw;
  }

  @Override
  public @Nullable Type getOwnerType() {
    return raw.getDeclaringClass();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ParameterizedType type
        && type.getRawType().equals(raw)
        && Arrays.asList(type.getActualTypeArguments()).equals(arguments);
  }

  @Override
  public int hashCode() {
    return 31 * raw.hashCode() + arguments.hashCode();
  }

  @Override
  public String toString() {
    return TypeNames.of(this);
  }

  /** The class behind a type; {@code Object} where it has none. */
  static Class<?> erase(Type type) {
    if (type instanceof Class<?> plain) {
      return plain;
    }
    if (type instanceof ParameterizedType parameterized) {
      return erase(parameterized.getRawType());
    }
    if (type instanceof GenericArrayType array) {
      return erase(array.getGenericComponentType()).arrayType();
    }
    return Object.class;
  }
}
