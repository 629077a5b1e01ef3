package io.streamforge.serde;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;

/**
 * A component of a record or a field of a class.
 *
 * @param name its name
 * @param type its type; has type variables of the class where it was declared with them
 * @param element what its annotations are on
 * @param annotatedType its type with annotations
 */
record Member(String name, Type type, AnnotatedElement element, AnnotatedType annotatedType) {
  static Member of(RecordComponent component) {
    return new Member(
        component.getName(), component.getGenericType(), component, component.getAnnotatedType());
  }

  static Member of(Field field, Type type) {
    return new Member(field.getName(), type, field, field.getAnnotatedType());
  }

  boolean primitive() {
    return type instanceof Class<?> raw && raw.isPrimitive();
  }

  /** Whether it says that it may be null, by an annotation of that name whose ever it is. */
  boolean saysNullable() {
    return saysNullable(element.getAnnotations()) || saysNullable(annotatedType.getAnnotations());
  }

  private static boolean saysNullable(Annotation[] annotations) {
    for (Annotation annotation : annotations) {
      if (annotation.annotationType().getSimpleName().equals("Nullable")) {
        return true;
      }
    }
    return false;
  }

  List<String> earlierNames() {
    return earlierNames(element);
  }

  static List<String> earlierNames(AnnotatedElement element) {
    Previously previously = element.getAnnotation(Previously.class);
    return previously == null ? List.of() : List.of(previously.value());
  }
}
