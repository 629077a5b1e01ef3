package io.streamforge.serde;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A class that is neither a record nor an enum, looked at as what its fields say; those of its
 * superclasses included, in the order of their names, since the JVM promises none.
 *
 * @param fault why its objects would not come back as they were, as a clause; null when they do
 */
record PlainClass(
    @Nullable String fault,
    @Nullable Constructor<?> constructor,
    List<Field> fields,
    List<Type> types) {

  private static PlainClass faulty(String fault) {
    return new PlainClass(fault, null, List.of(), List.of());
  }

  /**
   * Looks at a class.
   *
   * @param whole the class with its type arguments
   */
  static PlainClass of(Type whole, Class<?> type) {
    String kind = faultOfKind(type);
    if (kind != null) {
      return faulty(kind);
    }
    Constructor<?> constructor;
    try {
      constructor = type.getDeclaredConstructor();
    } catch (NoSuchMethodException e) {
      return faulty("has no constructor without parameters; a record needs none");
    }
    Map<String, Field> fields = new TreeMap<>();
    Map<String, Type> types = new TreeMap<>();
    Type current = whole;
    for (Class<?> raw = type; raw != Object.class; raw = raw.getSuperclass()) {
      if (ofTheJdk(raw)) {
        return faulty("extends " + raw.getName() + ", whose fields are not known");
      }
      Map<TypeVariable<?>, Type> bindings = GenericTypes.bindings(current);
      for (Field field : raw.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers)) {
          continue;
        }
        if (Modifier.isFinal(modifiers)) {
          return faulty(
              "has the final field '" + field.getName() + "', which only a record can be given");
        }
        if (fields.putIfAbsent(field.getName(), field) != null) {
          return faulty("has two fields '" + field.getName() + "', one of them inherited");
        }
        types.put(field.getName(), GenericTypes.substitute(field.getGenericType(), bindings));
      }
      current = GenericTypes.substitute(raw.getGenericSuperclass(), bindings);
    }
    return fields.isEmpty()
        ? faulty("has no fields that could be stored")
        : new PlainClass(
            null, constructor, List.copyOf(fields.values()), List.copyOf(types.values()));
  }

  private static @Nullable String faultOfKind(Class<?> type) {
    if (Modifier.isAbstract(type.getModifiers())) {
      return "is abstract and not sealed";
    }
    if (type.isHidden() || type.isAnonymousClass() || type.isLocalClass()) {
      return "is a local class";
    }
    if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
      return "is an inner class, which belongs to an object of the class around it";
    }
    return null;
  }

  /** Whether a class is not the user's. */
  static boolean ofTheJdk(Class<?> type) {
    return type.isPrimitive()
        || type.getClassLoader() == null
        || type.getClassLoader() == ClassLoader.getPlatformClassLoader();
  }

  List<Member> members() {
    return IntStream.range(0, fields.size())
        .mapToObj(i -> Member.of(fields.get(i), types.get(i)))
        .toList();
  }

  /** Only without a fault. */
  Shape<?> shape() {
    if (constructor == null) {
      throw new IllegalStateException(fault);
    }
    return Shape.ofClass(constructor, fields);
  }
}
