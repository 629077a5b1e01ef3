package io.streamforge.serde;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How objects of a class are taken apart into fields and made of them again. */
abstract class Shape<R> {
  /** In the place of a field: it stays what the constructor has made it. */
  static final Object AS_CONSTRUCTED = new Object();

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

  final Class<R> type;
  private final MethodHandle[] getters;

  private Shape(Class<R> type, MethodHandle[] getters) {
    this.type = type;
    this.getters = getters;
  }

  /** Such as {@code record Order}. */
  abstract String describe();

  /** Whether a field may be {@link #AS_CONSTRUCTED}. */
  abstract boolean constructsFields();

  /** Makes an object of the values of all fields, in their order. */
  abstract Object make(@Nullable Object[] fields) throws Throwable;

  /** The value of a field. */
  final @Nullable Object get(Object value, int field) throws Throwable {
    return getters[field].invokeExact(value);
  }

  /**
   * A record: read by accessors, made by the canonical constructor.
   *
   * @throws java.lang.reflect.InaccessibleObjectException when a module does not let us
   */
  static <R> Shape<R> ofRecord(Class<R> type) {
    RecordComponent[] components = type.getRecordComponents();
    MethodHandle[] getters = new MethodHandle[components.length];
    Class<?>[] parameters = new Class<?>[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        Method accessor = accessible(components[i].getAccessor());
        getters[i] = LOOKUP.unreflect(accessor).asType(GETTER);
        parameters[i] = components[i].getType();
      }
      MethodHandle constructor =
          LOOKUP
              .unreflectConstructor(accessible(type.getDeclaredConstructor(parameters)))
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      return new OfRecord<>(type, getters, constructor);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A plain class: made by its constructor without parameters, then field by field.
   *
   * @throws java.lang.reflect.InaccessibleObjectException when a module does not let us
   */
  static <R> Shape<R> ofClass(Constructor<R> constructor, List<Field> fields) {
    MethodHandle[] getters = new MethodHandle[fields.size()];
    MethodHandle[] setters = new MethodHandle[fields.size()];
    MethodType setter = MethodType.methodType(void.class, Object.class, Object.class);
    try {
      for (int i = 0; i < getters.length; i++) {
        Field field = accessible(fields.get(i));
        getters[i] = LOOKUP.unreflectGetter(field).asType(GETTER);
        setters[i] = LOOKUP.unreflectSetter(field).asType(setter);
      }
      MethodHandle empty =
          LOOKUP
              .unreflectConstructor(accessible(constructor))
              .asType(MethodType.methodType(Object.class));
      return new OfClass<>(constructor.getDeclaringClass(), getters, empty, setters);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <A extends AccessibleObject> A accessible(A object) {
    object.setAccessible(true);
    return object;
  }

  private static final class OfRecord<R> extends Shape<R> {
    private final MethodHandle constructor;

    OfRecord(Class<R> type, MethodHandle[] getters, MethodHandle constructor) {
      super(type, getters);
      this.constructor = constructor;
    }

    @Override
    String describe() {
      return "record " + type.getName();
    }

    @Override
    boolean constructsFields() {
      return false;
    }

    @Override
    Object make(@Nullable Object[] fields) throws Throwable {
      return constructor.invokeExact(fields);
    }
  }

  private static final class OfClass<R> extends Shape<R> {
    private final MethodHandle constructor;
    private final MethodHandle[] setters;

    OfClass(
        Class<R> type, MethodHandle[] getters, MethodHandle constructor, MethodHandle[] setters) {
      super(type, getters);
      this.constructor = constructor;
      this.setters = setters;
    }

    @Override
    String describe() {
      return "class " + type.getName();
    }

    @Override
    boolean constructsFields() {
      return true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the marker is one object
    Object make(@Nullable Object[] fields) throws Throwable {
      Object object = constructor.invokeExact();
      for (int i = 0; i < fields.length; i++) {
        if (fields[i] != AS_CONSTRUCTED) {
          setters[i].invokeExact(object, fields[i]);
        }
      }
      return object;
    }
  }
}
