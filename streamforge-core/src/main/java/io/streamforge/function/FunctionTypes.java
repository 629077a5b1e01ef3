package io.streamforge.function;

import java.lang.reflect.Type;
import java.util.List;

/**
 * The types that a function object takes and returns, found without calling it. For internal use.
 *
 * <p>A lambda or method reference names its erased types, since its interface is {@link
 * java.io.Serializable}: the compiler gives it a method {@code writeReplace} that describes it. An
 * instance of a class names its full types in the interfaces that the class declares. Types are
 * returned as they are found, also those that say little, such as {@code Object}, a raw {@code
 * List} or a type variable; the caller decides what is enough.
 */
public sealed interface FunctionTypes {
  /** The method that the function runs, for people, such as {@code com.acme.Job::parse}. */
  String implementation();

  /**
   * The types are known.
   *
   * @param parameters of the interface's one abstract method, in its order; full generic types
   *     where they are available
   * @param result of that method; a primitive one is its primitive class
   */
  record Known(List<Type> parameters, Type result, String implementation) implements FunctionTypes {
    /** The parts, the list being copied. */
    public Known {
      parameters = List.copyOf(parameters);
    }
  }

  /**
   * The types cannot be found out.
   *
   * @param reason one clause, with the remedy
   */
  record Unknown(String reason, String implementation) implements FunctionTypes {}

  /**
   * The types of a function.
   *
   * @param function an instance of the interface
   * @param functionalInterface has one abstract method
   */
  static FunctionTypes of(Object function, Class<?> functionalInterface) {
    if (!functionalInterface.isInstance(function)) {
      throw new IllegalArgumentException(
          function.getClass().getName() + " is not a " + functionalInterface.getName());
    }
    return new FunctionInspection(function, functionalInterface).inspect();
  }
}
