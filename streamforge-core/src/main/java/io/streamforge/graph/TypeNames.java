package io.streamforge.graph;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Types for people, and which of them say too little. */
public final class TypeNames {
  private TypeNames() {}

  /** A type without packages, such as {@code List<String>}; {@code ?} when it is not known. */
  public static String of(@Nullable Type type) {
    if (type == null) {
      return "?";
    }
    if (type instanceof Class<?> plain) {
      if (plain.isArray()) {
        return of(plain.getComponentType()) + "[]";
      }
      // Nested classes are named after their outermost one only as far as that helps: not at all.
      String simple = plain.getSimpleName();
      return simple.isEmpty() ? plain.getName() : simple;
    }
    if (type instanceof ParameterizedType parameterized) {
      return of(parameterized.getRawType())
          + Arrays.stream(parameterized.getActualTypeArguments())
              .map(TypeNames::of)
              .collect(Collectors.joining(", ", "<", ">"));
    }
    if (type instanceof GenericArrayType array) {
      return of(array.getGenericComponentType()) + "[]";
    }
    if (type instanceof WildcardType wildcard) {
      Type bound = wildcard.getUpperBounds()[0];
      return bound == Object.class ? "?" : "? extends " + of(bound);
    }
    return type.getTypeName();
  }

  /**
   * Whether a type leaves open what its values are: {@code Object}, a generic class without its
   * arguments, a variable.
   */
  public static boolean tooLittle(Type type) {
    if (type instanceof Class<?> plain) {
      return plain == Object.class
          || plain == java.io.Serializable.class
          || (!plain.isArray() && plain.getTypeParameters().length > 0)
          || (plain.isArray() && tooLittle(plain.getComponentType()));
    }
    return !(type instanceof ParameterizedType) && !(type instanceof GenericArrayType);
  }
}
