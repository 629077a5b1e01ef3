package io.streamforge.function;

import io.streamforge.function.FunctionTypes.Known;
import io.streamforge.function.FunctionTypes.Unknown;
import io.streamforge.serde.GenericTypes;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.MethodType;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the types of one function object. */
final class FunctionInspection {
  private final Object function;
  private final Class<?> functionClass;
  private final Class<?> functionalInterface;
  private final Method method;

  FunctionInspection(Object function, Class<?> functionalInterface) {
    this.function = function;
    this.functionClass = function.getClass();
    this.functionalInterface = functionalInterface;
    this.method = abstractMethod(functionalInterface);
  }

  /** The one method that the interface leaves to its implementations. */
  private static Method abstractMethod(Class<?> functionalInterface) {
    Method found = null;
    for (Method candidate : functionalInterface.getMethods()) {
      if (Modifier.isAbstract(candidate.getModifiers()) && !isOfObject(candidate)) {
        if (found != null) {
          throw new IllegalArgumentException(
              functionalInterface.getName() + " has more than one abstract method");
        }
        found = candidate;
      }
    }
    if (found == null) {
      throw new IllegalArgumentException(functionalInterface.getName() + " has no abstract method");
    }
    return found;
  }

  private static boolean isOfObject(Method method) {
    try {
      Object.class.getMethod(method.getName(), method.getParameterTypes());
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** What can be found out. */
  FunctionTypes inspect() {
    if (!functionClass.isSynthetic() || !functionClass.isHidden()) {
      return ofClass(functionClass.getName() + "." + method.getName());
    }
    Method writeReplace = writeReplace();
    if (writeReplace == null) {
      return unknown("the lambda was made without the types that Serializable gives it");
    }
    try {
      writeReplace.setAccessible(true);
      return writeReplace.invoke(function) instanceof SerializedLambda lambda
          ? ofLambda(lambda)
          : unknown("the lambda does not describe itself");
    } catch (InaccessibleObjectException e) {
      return new Unknown(
          "module "
              + functionClass.getModule().getName()
              + " does not open package "
              + functionClass.getPackageName()
              + " to io.streamforge.core; open it or use typed(...)",
          simpleName());
    } catch (IllegalAccessException | InvocationTargetException e) {
      return unknown("the lambda does not describe itself (" + e + ")");
    }
  }

  private Unknown unknown(String reason) {
    return new Unknown(reason + "; use typed(...)", simpleName());
  }

  /** A lambda's class is named {@code com.acme.Job$$Lambda$14/0x0000…}. */
  private String simpleName() {
    String name = functionClass.getName();
    int lambda = name.indexOf("$$Lambda");
    return lambda < 0 ? name : name.substring(0, lambda) + ".lambda";
  }

  private @Nullable Method writeReplace() {
    try {
      return functionClass.getDeclaredMethod("writeReplace");
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private FunctionTypes ofLambda(SerializedLambda lambda) {
    String implementation = implementation(lambda);
    if (!lambda.getFunctionalInterfaceMethodName().equals(method.getName())) {
      // An interface of the user's own, which implements ours by a default method.
      return ofClass(implementation);
    }
    ClassLoader loader = functionClass.getClassLoader();
    if (loader == null) {
      loader = ClassLoader.getSystemClassLoader();
    }
    try {
      MethodType type =
          MethodType.fromMethodDescriptorString(lambda.getInstantiatedMethodType(), loader);
      return refined(lambda, type, loader, implementation);
    } catch (TypeNotPresentException e) {
      return unknown("class " + e.typeName() + " of the lambda cannot be loaded");
    }
  }

  private static String implementation(SerializedLambda lambda) {
    String owner = lambda.getImplClass().replace('/', '.');
    String name = lambda.getImplMethodName();
    if (lambda.getImplMethodKind() == MethodHandleInfo.REF_newInvokeSpecial) {
      return owner + "::new";
    }
    return owner + (name.contains("lambda$") ? "." : "::") + name;
  }

  /**
   * The erased types, with generic ones in their place where the method that is run declares them:
   * that of a method reference does, the compiler's own for a lambda does not.
   */
  private static Known refined(
      SerializedLambda lambda, MethodType erased, ClassLoader loader, String implementation) {
    List<Type> parameters = new ArrayList<>(erased.parameterList());
    Type result = erased.returnType();
    Method run = methodRun(lambda, loader);
    if (run != null) {
      result = moreOf(result, run.getGenericReturnType());
      Type[] declared = run.getGenericParameterTypes();
      int offset = parameters.size() - declared.length;
      for (int i = Math.max(0, offset); i < parameters.size(); i++) {
        parameters.set(i, moreOf(parameters.get(i), declared[i - offset]));
      }
    }
    return new Known(parameters, result, implementation);
  }

  private static Type moreOf(Type erased, Type declared) {
    return declared instanceof ParameterizedType
            && !GenericTypes.hasVariable(declared)
            && GenericTypes.erase(declared).equals(erased)
        ? declared
        : erased;
  }

  private static @Nullable Method methodRun(SerializedLambda lambda, ClassLoader loader) {
    try {
      Class<?> owner = Class.forName(lambda.getImplClass().replace('/', '.'), false, loader);
      MethodType type =
          MethodType.fromMethodDescriptorString(lambda.getImplMethodSignature(), loader);
      Method found = owner.getDeclaredMethod(lambda.getImplMethodName(), type.parameterArray());
      return found.getReturnType().equals(type.returnType()) ? found : null;
    } catch (ReflectiveOperationException | TypeNotPresentException | LinkageError e) {
      return null; // a constructor, inherited, or with classes that are not there
    }
  }

  /** The types that the class declares for the interface, through all that it extends. */
  private FunctionTypes ofClass(String implementation) {
    Map<TypeVariable<?>, Type> bindings = bindings(functionClass);
    Type[] declared = method.getGenericParameterTypes();
    List<Type> parameters =
        Arrays.stream(declared).map(type -> GenericTypes.substitute(type, bindings)).toList();
    Type result = GenericTypes.substitute(method.getGenericReturnType(), bindings);
    return new Known(parameters, result, implementation);
  }

  /** What the type variables of the interface stand for. */
  private Map<TypeVariable<?>, Type> bindings(Class<?> start) {
    Map<TypeVariable<?>, Type> bindings = new HashMap<>();
    collect(start, bindings);
    return bindings;
  }

  /** Binds the variables of all that {@code type} extends on the way to the interface. */
  private void collect(Class<?> type, Map<TypeVariable<?>, Type> bindings) {
    List<Type> parents = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
    if (type.getGenericSuperclass() != null) {
      parents.add(type.getGenericSuperclass());
    }
    for (Type parent : parents) {
      Class<?> raw = GenericTypes.erase(parent);
      if (functionalInterface.isAssignableFrom(raw)) {
        if (parent instanceof ParameterizedType parameterized) {
          TypeVariable<?>[] variables = raw.getTypeParameters();
          Type[] arguments = parameterized.getActualTypeArguments();
          for (int i = 0; i < variables.length; i++) {
            bindings.put(variables[i], GenericTypes.substitute(arguments[i], bindings));
          }
        }
        collect(raw, bindings);
      }
    }
  }
}
