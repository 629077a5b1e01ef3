package io.streamforge;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The public API as one list under review, {@code public-api.txt}: every public type of the
 * packages that users name in their code, and its public members.
 */
class PublicApiTest {
  private static final Set<String> PACKAGES =
      Set.of(
          "io.streamforge",
          "io.streamforge.record",
          "io.streamforge.time",
          "io.streamforge.serde",
          "io.streamforge.error",
          "io.streamforge.function",
          "io.streamforge.window",
          "io.streamforge.state",
          "io.streamforge.source",
          "io.streamforge.sink",
          "io.streamforge.config",
          "io.streamforge.connector",
          "io.streamforge.engine");

  /** Types of other packages that the API returns or throws, or that users name. */
  private static final Set<String> OTHERS =
      Set.of(
          "io.streamforge.backend.KeyValueStore",
          "io.streamforge.backend.StoreSnapshot",
          "io.streamforge.backend.memory.MemoryStore",
          "io.streamforge.graph.Problem",
          "io.streamforge.graph.TopologyInvalidException",
          "io.streamforge.plan.Explain");

  @Test
  void publicApiIsTheListUnderReview() {
    StringBuilder text = new StringBuilder();
    new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.streamforge")
            .stream()
            .filter(PublicApiTest::isApi)
            .map(JavaClass::reflect)
            .filter(PublicApiTest::isReachable)
            .sorted(Comparator.comparing(Class::getName))
            .forEach(type -> describe(type, text));

    Golden.assertMatches("public-api.txt", text.toString());
  }

  private static boolean isApi(JavaClass type) {
    boolean inside =
        PACKAGES.contains(type.getPackageName())
            || type.getPackageName().startsWith("io.streamforge.connector.");
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && (inside || OTHERS.contains(type.getName()));
  }

  /** Whether all classes around a nested one are public as well. */
  private static boolean isReachable(Class<?> type) {
    for (Class<?> outer = type; outer != null; outer = outer.getDeclaringClass()) {
      if (!Modifier.isPublic(outer.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static void describe(Class<?> type, StringBuilder text) {
    String kind =
        type.isRecord()
            ? "record"
            : type.isEnum()
                ? "enum"
                : type.isInterface()
                    ? (type.isSealed() ? "sealed interface" : "interface")
                    : "class";
    text.append(kind).append(' ').append(type.getName()).append('\n');
    List<String> members = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (isPublic(field.getModifiers()) && !field.isSynthetic()) {
        members.add(
            field.isEnumConstant()
                ? field.getName()
                : field.getName() + ": " + name(field.getGenericType()));
      }
    }
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if ((isPublic(constructor.getModifiers()) || Modifier.isProtected(constructor.getModifiers()))
          && !constructor.isSynthetic()) {
        members.add("new(" + names(constructor.getGenericParameterTypes()) + ")");
      }
    }
    for (Method method : type.getDeclaredMethods()) {
      if (isPublic(method.getModifiers()) && !method.isSynthetic() && !isObvious(type, method)) {
        members.add(
            (Modifier.isStatic(method.getModifiers()) ? "static " : "")
                + method.getName()
                + "("
                + names(method.getGenericParameterTypes())
                + "): "
                + name(method.getGenericReturnType()));
      }
    }
    Collections.sort(members);
    members.forEach(member -> text.append("  ").append(member).append('\n'));
  }

  private static boolean isPublic(int modifiers) {
    return Modifier.isPublic(modifiers);
  }

  private static boolean isObvious(Class<?> type, Method method) {
    boolean ofEnum =
        type.isEnum() && (method.getName().equals("values") || method.getName().equals("valueOf"));
    return ofEnum || Set.of("equals", "hashCode", "toString").contains(method.getName());
  }

  private static String names(Type[] types) {
    return Arrays.stream(types).map(PublicApiTest::name).collect(Collectors.joining(", "));
  }

  /** A type without its packages; the streams of Java are not ours. */
  private static String name(Type type) {
    return type.getTypeName()
        .replace("java.util.stream.Stream", "JavaStream")
        .replaceAll("[a-z][A-Za-z0-9_]*\\.", "");
  }
}
