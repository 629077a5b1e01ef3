package io.streamforge.formats.csv;

import io.streamforge.connector.file.MalformedRecordException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes records of fields, and fields of records. Immutable. */
final class RecordShape<R extends Record> {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final int SHOWN_CHARS = 60;

  private final List<String> names;
  private final FieldType[] types;
  private final MethodHandle constructor;
  private final MethodHandle[] accessors;
  private final String missing;

  private RecordShape(
      List<String> names,
      FieldType[] types,
      MethodHandle constructor,
      MethodHandle[] accessors,
      String missing) {
    this.names = names;
    this.types = types;
    this.constructor = constructor;
    this.accessors = accessors;
    this.missing = missing;
  }

  /**
   * The shape of a class.
   *
   * @throws IllegalArgumentException when a component has a type that a field cannot hold, or the
   *     class is not accessible
   */
  static <R extends Record> RecordShape<R> of(Class<R> type, String missing) {
    RecordComponent[] components = type.getRecordComponents();
    FieldType[] types = new FieldType[components.length];
    MethodHandle[] accessors = new MethodHandle[components.length];
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = FieldType.of(type, components[i]);
      parameters[i] = components[i].getType();
    }
    try {
      for (int i = 0; i < components.length; i++) {
        Method accessor = components[i].getAccessor();
        accessor.setAccessible(true);
        accessors[i] =
            LOOKUP.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
      }
      Constructor<R> canonical = type.getDeclaredConstructor(parameters);
      canonical.setAccessible(true);
      MethodHandle constructor =
          LOOKUP
              .unreflectConstructor(canonical)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      List<String> names = Arrays.stream(components).map(RecordComponent::getName).toList();
      return new RecordShape<>(names, types, constructor, accessors, missing);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalArgumentException(
          type.getName() + " is not accessible: open its package to this library", e);
    }
  }

  /** Names of the components in their order. */
  List<String> names() {
    return names;
  }

  /**
   * The record that a line holds.
   *
   * @param columns index of the field of each component
   */
  @SuppressWarnings("unchecked") // The constructor is that of R.
  R make(List<String> fields, int[] columns) throws MalformedRecordException {
    @Nullable Object[] arguments = new Object[types.length];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = read(fields, columns[i], i);
    }
    try {
      Object made = (Object) constructor.invokeExact(arguments);
      return (R) made;
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new MalformedRecordException("the record's class refuses it: " + e, 0, 0, e);
    }
  }

  private @Nullable Object read(List<String> fields, int column, int component)
      throws MalformedRecordException {
    String field = fields.get(column);
    FieldType type = types[component];
    if (field.isEmpty() || field.equals(missing)) {
      if (type.needed()) {
        throw at(fields, column, "'" + names.get(component) + "' is missing", null);
      }
      return type.absent();
    }
    try {
      return type.parser().parse(field);
    } catch (RuntimeException e) {
      String shown = field.length() > SHOWN_CHARS ? field.substring(0, SHOWN_CHARS) + "…" : field;
      throw at(
          fields,
          column,
          "'" + names.get(component) + "' is not " + type.description() + ": '" + shown + "'",
          e);
    }
  }

  private static MalformedRecordException at(
      List<String> fields, int column, String message, @Nullable Throwable cause) {
    int lines = 0;
    for (String before : fields.subList(0, column)) {
      lines += (int) before.chars().filter(c -> c == '\n').count();
    }
    return new MalformedRecordException(message, lines, column + 1, cause);
  }

  /** The fields of a record in the order of its components. */
  String[] fields(R record) {
    String[] fields = new String[accessors.length];
    for (int i = 0; i < fields.length; i++) {
      Object value;
      try {
        value = (Object) accessors[i].invokeExact((Object) record);
      } catch (Error | RuntimeException e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
      fields[i] = FieldType.print(value, missing);
    }
    return fields;
  }
}
