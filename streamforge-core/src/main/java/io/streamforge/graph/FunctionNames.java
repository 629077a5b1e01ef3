package io.streamforge.graph;

import io.streamforge.function.FunctionTypes;
import org.jspecify.annotations.Nullable;

/** How a user's function is called, for people. */
public final class FunctionNames {
  private FunctionNames() {}

  /** Such as {@code WordCount::words}, {@code lambda in WordCount.main} or {@code Splitter}. */
  public static String of(Object function) {
    Class<?> shape = shape(function.getClass());
    if (shape == null) {
      return TypeNames.of(function.getClass());
    }
    String implementation = FunctionTypes.of(function, shape).implementation();
    int method = implementation.lastIndexOf("::");
    if (method >= 0) {
      return simple(implementation.substring(0, method)) + implementation.substring(method);
    }
    int lambda = implementation.lastIndexOf(".lambda");
    if (lambda < 0) {
      return TypeNames.of(function.getClass());
    }
    // The compiler calls a serialisable lambda lambda$method$hash$number.
    String owner = simple(implementation.substring(0, lambda));
    String[] parts = implementation.substring(lambda).split("\\$", -1);
    boolean named = parts.length >= 3 && !parts[1].equals("new") && !parts[1].equals("static");
    return "lambda in " + owner + (named ? "." + parts[1] : "");
  }

  private static String simple(String className) {
    return className.substring(
        Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
  }

  /** The functional interface that a class implements. */
  private static @Nullable Class<?> shape(Class<?> type) {
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      for (Class<?> candidate : level.getInterfaces()) {
        if (candidate.isAnnotationPresent(FunctionalInterface.class)) {
          return candidate;
        }
        Class<?> above = shape(candidate);
        if (above != null) {
          return above;
        }
      }
    }
    return null;
  }
}
