package io.streamforge.node.state;

import io.streamforge.serde.Schema;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values that {@link Schema#reader} has read, as JSON: structures are objects, in a union with
 * their {@code @type}; maps are objects where keys are simple, otherwise arrays of entries; sets
 * are sorted, so that equal ones look alike; all else that JSON has not is text, and what only a
 * serde of the user's own understands is its form with the bytes in Base64.
 */
final class JsonValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String TYPE = "@type";

  private JsonValues() {}

  /** The structures and unions around a value, which references count. */
  private record Scope(Schema schema, @Nullable Scope outer) {}

  /** A schema that is no reference, with what is around it. */
  private record Place(Schema schema, @Nullable Scope scope) {
    static Place of(Schema schema, @Nullable Scope scope) {
      if (!(schema instanceof Schema.Reference reference)) {
        return new Place(schema, scope);
      }
      Scope target = scope;
      for (int level = 1; level < reference.levels() && target != null; level++) {
        target = target.outer;
      }
      if (target == null) {
        throw new IllegalArgumentException("a schema refers to level " + reference.levels());
      }
      return new Place(target.schema, target.outer);
    }

    Place part(Schema part) {
      boolean named = schema instanceof Schema.Structure || schema instanceof Schema.Union;
      return of(part, named ? new Scope(schema, scope) : scope);
    }
  }

  /** A value that was read with this schema. */
  static JsonNode of(@Nullable Object value, Schema schema) {
    return json(value, Place.of(schema, null));
  }

  private static JsonNode json(@Nullable Object value, Place place) {
    if (value == null) {
      return JSON.nullNode();
    }
    Schema schema = place.schema;
    if (schema instanceof Schema.Structure structure) {
      return structure(JSON.objectNode(), (Schema.StoredStructure) value, structure, place);
    }
    if (schema instanceof Schema.Union union) {
      return alternative(value, union, place);
    }
    if (schema instanceof Schema.Sequence sequence) {
      return sequence((List<?>) value, sequence, place);
    }
    if (schema instanceof Schema.Mapping mapping) {
      return mapping((Map<?, ?>) value, mapping, place);
    }
    if (schema instanceof Schema.OptionalValue optional) {
      return json(((Optional<?>) value).orElse(null), place.part(optional.value()));
    }
    if (schema instanceof Schema.Opaque opaque) {
      return JSON.objectNode()
          .put("form", opaque.form())
          .put("version", opaque.version())
          .put("bytes", (byte[]) value);
    }
    return basic(value, schema.toString());
  }

  private static ObjectNode structure(
      ObjectNode into, Schema.StoredStructure value, Schema.Structure structure, Place place) {
    for (Schema.Field field : structure.fields()) {
      into.set(field.name(), json(value.fields().get(field.name()), place.part(field.schema())));
    }
    return into;
  }

  private static JsonNode alternative(Object value, Schema.Union union, Place place) {
    for (Schema.Alternative alternative : union.alternatives()) {
      Place part = place.part(alternative.schema());
      ObjectNode typed = JSON.objectNode().put(TYPE, alternative.name());
      if (value instanceof Schema.StoredStructure stored
          && part.schema instanceof Schema.Structure structure
          && structure.name().equals(stored.type())) {
        return structure(typed, stored, structure, part);
      }
      if (value instanceof String constant
          && part.schema instanceof Schema.Enumeration enumeration
          && enumeration.constants().contains(constant)) {
        return typed.put("value", constant);
      }
      if (value instanceof byte[] && part.schema instanceof Schema.Opaque) {
        return typed.set("value", json(value, part));
      }
    }
    return JSON.stringNode(String.valueOf(value));
  }

  private static ArrayNode sequence(List<?> value, Schema.Sequence sequence, Place place) {
    List<JsonNode> elements = new ArrayList<>();
    for (Object element : value) {
      elements.add(json(element, place.part(sequence.elements())));
    }
    if (sequence.form().equals("set")) {
      elements.sort(Comparator.comparing(JsonNode::toString));
    }
    return JSON.arrayNode().addAll(elements);
  }

  private static JsonNode mapping(Map<?, ?> value, Schema.Mapping mapping, Place place) {
    Place keys = place.part(mapping.keys());
    Place values = place.part(mapping.values());
    boolean names =
        keys.schema instanceof Schema.Enumeration
            || (keys.schema instanceof Schema.Basic basic && isName(basic.form()));
    if (names && !value.containsKey(null)) {
      ObjectNode object = JSON.objectNode();
      value.forEach((k, v) -> object.set(String.valueOf(k), json(v, values)));
      return object;
    }
    List<JsonNode> entries = new ArrayList<>();
    value.forEach(
        (k, v) -> {
          ObjectNode entry = JSON.objectNode();
          entry.set("key", json(k, keys));
          entries.add(entry.set("value", json(v, values)));
        });
    if (mapping.form().equals("map")) {
      entries.sort(Comparator.comparing(JsonNode::toString));
    }
    return JSON.arrayNode().addAll(entries);
  }

  /** Whether values of a form are told apart by their text. */
  private static boolean isName(String form) {
    return !form.equals("bytes") && !form.endsWith("[]") && !form.startsWith("Optional");
  }

  private static JsonNode basic(Object value, String form) {
    if (value instanceof Boolean yes) {
      return JSON.booleanNode(yes);
    }
    if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
      // As longs, so that a number is the same after its field has become wider.
      return JSON.numberNode(((Number) value).longValue());
    }
    if (value instanceof Long number) {
      return JSON.numberNode(number.longValue());
    }
    if (value instanceof Float number) {
      return JSON.numberNode(number.floatValue());
    }
    if (value instanceof Double number) {
      return JSON.numberNode(number.doubleValue());
    }
    if (value instanceof BigInteger number) {
      return JSON.numberNode(number);
    }
    if (value instanceof BigDecimal number) {
      return JSON.numberNode(number);
    }
    if (value instanceof byte[] bytes) {
      return JSON.binaryNode(bytes);
    }
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? JSON.numberNode((long) number.getAsInt()) : JSON.nullNode();
    }
    if (value instanceof OptionalLong number) {
      return number.isPresent() ? JSON.numberNode(number.getAsLong()) : JSON.nullNode();
    }
    if (value instanceof OptionalDouble number) {
      return number.isPresent() ? JSON.numberNode(number.getAsDouble()) : JSON.nullNode();
    }
    if (value.getClass().isArray()) {
      return array(value);
    }
    return form.equals(Schema.JSON) ? parsed((String) value) : JSON.stringNode(value.toString());
  }

  private static ArrayNode array(Object array) {
    ArrayNode elements = JSON.arrayNode();
    for (int i = 0; i < Array.getLength(array); i++) {
      elements.add(basic(Array.get(array, i), ""));
    }
    return elements;
  }

  private static JsonNode parsed(String text) {
    try {
      return JsonMapper.shared().readTree(text);
    } catch (JacksonException e) {
      return JSON.stringNode(text);
    }
  }
}
