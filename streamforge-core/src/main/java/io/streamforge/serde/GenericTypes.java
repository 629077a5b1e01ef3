package io.streamforge.serde;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes generic types apart and puts types in the place of type variables. For internal use. */
public final class GenericTypes {
  private GenericTypes() {}

  /** The class that is left of a type at run time. */
  public static Class<?> erase(Type type) {
    if (type instanceof Class<?> raw) {
      return raw;
    }
    if (type instanceof ParameterizedType parameterized) {
      return (Class<?>) parameterized.getRawType();
    }
    if (type instanceof GenericArrayType array) {
      return Array.newInstance(erase(array.getGenericComponentType()), 0).getClass();
    }
    if (type instanceof WildcardType wildcard) {
      return erase(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      return erase(variable.getBounds()[0]);
    }
    throw new IllegalArgumentException("not a type of the Java language: " + type.getTypeName());
  }

  /**
   * The type with every bound variable replaced; an unbound one stays. A wildcard that mentions a
   * variable becomes its upper bound.
   */
  public static Type substitute(Type type, Map<TypeVariable<?>, Type> bindings) {
    if (!hasVariable(type)) {
      return type;
    }
    if (type instanceof TypeVariable<?> variable) {
      return bindings.getOrDefault(variable, variable);
    }
    if (type instanceof ParameterizedType parameterized) {
      Type[] arguments = parameterized.getActualTypeArguments().clone();
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = substitute(arguments[i], bindings);
      }
      return new Parameterized(
          parameterized.getOwnerType(), (Class<?>) parameterized.getRawType(), arguments);
    }
    if (type instanceof GenericArrayType array) {
      return arrayOf(substitute(array.getGenericComponentType(), bindings));
    }
    if (type instanceof WildcardType wildcard) {
      return substitute(wildcard.getUpperBounds()[0], bindings);
    }
    return type;
  }

  private static Type arrayOf(Type element) {
    return element instanceof Class<?> raw
        ? Array.newInstance(raw, 0).getClass()
        : new GenericArray(element);
  }

  /** What the type parameters of a generic type's class stand for; empty for other types. */
  public static Map<TypeVariable<?>, Type> bindings(Type type) {
    Map<TypeVariable<?>, Type> bindings = new HashMap<>();
    if (type instanceof ParameterizedType parameterized) {
      TypeVariable<?>[] parameters = erase(type).getTypeParameters();
      Type[] arguments = parameterized.getActualTypeArguments();
      for (int i = 0; i < arguments.length; i++) {
        bindings.put(parameters[i], arguments[i]);
      }
    }
    return bindings;
  }

  /**
   * A direct subtype with the type arguments that follow from its supertype's; type parameters of
   * which the supertype does not know stay.
   */
  static Type subtype(Class<?> subclass, Type supertype) {
    TypeVariable<?>[] parameters = subclass.getTypeParameters();
    if (parameters.length == 0) {
      return subclass;
    }
    Class<?> raw = erase(supertype);
    Map<TypeVariable<?>, Type> known = new HashMap<>();
    for (Type parent : supertypes(subclass)) {
      if (erase(parent) == raw && parent instanceof ParameterizedType parameterized) {
        Type[] declared = parameterized.getActualTypeArguments();
        Map<TypeVariable<?>, Type> given = bindings(supertype);
        for (int i = 0; i < declared.length; i++) {
          Type argument = given.get(raw.getTypeParameters()[i]);
          if (declared[i] instanceof TypeVariable<?> variable && argument != null) {
            known.put(variable, argument);
          }
        }
      }
    }
    Type[] arguments = new Type[parameters.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = known.getOrDefault(parameters[i], parameters[i]);
    }
    return new Parameterized(subclass.getDeclaringClass(), subclass, arguments);
  }

  private static List<Type> supertypes(Class<?> type) {
    List<Type> supertypes = new ArrayList<>(List.of(type.getGenericInterfaces()));
    if (type.getGenericSuperclass() != null) {
      supertypes.add(type.getGenericSuperclass());
    }
    return supertypes;
  }

  /** Whether the type is or mentions a type variable. */
  public static boolean hasVariable(Type type) {
    if (type instanceof ParameterizedType parameterized) {
      return Arrays.stream(parameterized.getActualTypeArguments())
          .anyMatch(GenericTypes::hasVariable);
    }
    if (type instanceof GenericArrayType array) {
      return hasVariable(array.getGenericComponentType());
    }
    if (type instanceof WildcardType wildcard) {
      return Arrays.stream(wildcard.getUpperBounds()).anyMatch(GenericTypes::hasVariable)
          || Arrays.stream(wildcard.getLowerBounds()).anyMatch(GenericTypes::hasVariable);
    }
    return type instanceof TypeVariable<?>;
  }

  /** Equal to the JDK's own types of the same parts. */
  private static final class Parameterized implements ParameterizedType {
    private final @Nullable Type owner;
    private final Class<?> raw;
    private final Type[] arguments;

    Parameterized(@Nullable Type owner, Class<?> raw, Type[] arguments) {
      this.owner = owner;
      this.raw = raw;
      this.arguments = arguments;
    }

    @Override
    public Type[] getActualTypeArguments() {
      return arguments.clone();
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return owner;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ParameterizedType that
          && Objects.equals(owner, that.getOwnerType())
          && raw.equals(that.getRawType())
          && Arrays.equals(arguments, that.getActualTypeArguments());
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(arguments) ^ Objects.hashCode(owner) ^ raw.hashCode();
    }

    @Override
    public String toString() {
      return Arrays.stream(arguments)
          .map(Type::getTypeName)
          .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
    }
  }

  /** Equal to the JDK's own types of the same element. */
  private static final class GenericArray implements GenericArrayType {
    private final Type element;

    GenericArray(Type element) {
      this.element = element;
    }

    @Override
    public Type getGenericComponentType() {
      return element;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof GenericArrayType that
          && element.equals(that.getGenericComponentType());
    }

    @Override
    public int hashCode() {
      return element.hashCode();
    }

    @Override
    public String toString() {
      return element.getTypeName() + "[]";
    }
  }
}
