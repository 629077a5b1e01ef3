package io.streamforge.serde;

import java.util.stream.Collectors;

/** Schemas for people. */
final class SchemaText {
  private SchemaText() {}

  static String of(Schema schema) {
    if (schema instanceof Schema.Structure structure) {
      return structure.fields().stream()
          .map(SchemaText::field)
          .collect(Collectors.joining(", ", simple(structure.name()) + "{", "}"));
    }
    if (schema instanceof Schema.Enumeration enumeration) {
      return enumeration.constants().stream()
          .collect(Collectors.joining(", ", simple(enumeration.name()) + "[", "]"));
    }
    if (schema instanceof Schema.Union union) {
      return union.alternatives().stream()
          .map(Schema.Alternative::name)
          .collect(Collectors.joining(" | ", simple(union.name()) + "(", ")"));
    }
    if (schema instanceof Schema.Sequence sequence) {
      return sequence.form() + "<" + inner(sequence.elements()) + ">";
    }
    if (schema instanceof Schema.Mapping mapping) {
      return mapping.form() + "<" + inner(mapping.keys()) + ", " + inner(mapping.values()) + ">";
    }
    if (schema instanceof Schema.OptionalValue optional) {
      return "optional<" + inner(optional.value()) + ">";
    }
    return schema.toString();
  }

  private static String field(Schema.Field field) {
    return field.name() + ": " + inner(field.schema()) + (field.nullable() ? "?" : "");
  }

  /** What has parts is named only: a message shows the parts of the innermost type it is about. */
  static String inner(Schema schema) {
    if (schema instanceof Schema.Structure structure) {
      return simple(structure.name());
    }
    if (schema instanceof Schema.Enumeration enumeration) {
      return simple(enumeration.name());
    }
    return schema instanceof Schema.Union union ? simple(union.name()) : of(schema);
  }

  /** A class's name without its package and the classes around it. */
  static String simple(String name) {
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  /** With an article: an int, a UUID. */
  static String a(String noun) {
    boolean vowel = "aeioAEIO".indexOf(noun.charAt(0)) >= 0;
    return (vowel ? "an " : "a ") + noun;
  }
}
