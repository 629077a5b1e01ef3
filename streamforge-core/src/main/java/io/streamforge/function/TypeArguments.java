package io.streamforge.function;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the type arguments with which a class implements a generic type. */
public final class TypeArguments {
  private TypeArguments() {}

  /**
   * The argument that {@code type} gives to a parameter of {@code generic}; null when it does not
   * say, as a lambda's class never does.
   *
   * @param type a class, or a generic one with its arguments
   * @param index which parameter of {@code generic}, from 0 on
   */
  public static @Nullable Type of(Type type, Class<?> generic, int index) {
    return find(type, new HashMap<>(), generic, index);
  }

  private static @Nullable Type find(
      Type type, Map<TypeVariable<?>, Type> bound, Class<?> generic, int index) {
    Class<?> raw;
    Map<TypeVariable<?>, Type> here = new HashMap<>();
    if (type instanceof Class<?> plain) {
      raw = plain;
    } else if (type instanceof ParameterizedType parameterized) {
      raw = (Class<?>) parameterized.getRawType();
      Type[] arguments = parameterized.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        Type argument = arguments[i];
        if (argument instanceof TypeVariable<?> variable) {
          argument = bound.get(variable);
        }
        if (argument != null) {
          here.put(raw.getTypeParameters()[i], argument);
        }
      }
    } else {
      return null;
    }
    if (raw == generic) {
      return here.get(generic.getTypeParameters()[index]);
    }
    for (Type parent : raw.getGenericInterfaces()) {
      Type found = find(parent, here, generic, index);
      if (found != null) {
        return found;
      }
    }
    Type parent = raw.getGenericSuperclass();
    return parent == null ? null : find(parent, here, generic, index);
  }
}
