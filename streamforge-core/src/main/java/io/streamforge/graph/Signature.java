package io.streamforge.graph;

import io.streamforge.function.FunctionTypes;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types of a function, primitive ones boxed.
 *
 * @param parameters what it takes; empty when that cannot be read
 * @param result what it returns; null when that cannot be read
 * @param unreadable why nothing can be read, as a clause; null when it can
 */
record Signature(List<Type> parameters, @Nullable Type result, @Nullable String unreadable) {
  static Signature of(Object function, Class<?> shape) {
    FunctionTypes types = FunctionTypes.of(function, shape);
    if (types instanceof FunctionTypes.Known known) {
      return new Signature(
          known.parameters().stream().map(Signature::boxed).toList(), boxed(known.result()), null);
    }
    return new Signature(List.of(), null, ((FunctionTypes.Unknown) types).reason());
  }

  private static Type boxed(Type type) {
    return type instanceof Class<?> plain ? MethodType.methodType(plain).wrap().returnType() : type;
  }

  /** What it takes in this place; null when that cannot be read. */
  @Nullable Type parameter(int index) {
    return index < parameters.size() ? parameters.get(index) : null;
  }
}
