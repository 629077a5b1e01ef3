package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes readers of values whose classes are not needed, for inspection and for skipping. */
final class StoredReaders {
  private final Map<Stored, Deferred<Object>> open = new IdentityHashMap<>();

  private StoredReaders() {}

  /** A reader of what stands on its own; see {@link Schema#reader}. */
  static ValueReader<Object> of(Schema schema) {
    return schema instanceof Schema.Opaque
        ? input -> input.readBytes(input.remaining())
        : part(Stored.root(schema));
  }

  /** A reader of a part. */
  static ValueReader<Object> part(Stored stored) {
    return new StoredReaders().reader(stored);
  }

  private ValueReader<Object> reader(Stored stored) {
    Schema schema = stored.schema();
    if (schema instanceof Schema.Structure || schema instanceof Schema.Union) {
      Deferred<Object> before = open.get(stored);
      if (before != null) {
        return before;
      }
      Deferred<Object> deferred = new Deferred<>();
      open.put(stored, deferred);
      ValueReader<Object> reader =
          schema instanceof Schema.Structure structure
              ? structure(stored, structure)
              : union(stored, (Schema.Union) schema);
      deferred.bind(reader);
      return reader;
    }
    if (schema instanceof Schema.Sequence sequence) {
      ValueReader<Object> elements = reader(stored.part(sequence.elements()));
      return input -> {
        List<@Nullable Object> list = new ArrayList<>();
        Elements.read(list, elements, null, input);
        return Collections.unmodifiableList(list);
      };
    }
    if (schema instanceof Schema.Mapping mapping) {
      return mapping(reader(stored.part(mapping.keys())), reader(stored.part(mapping.values())));
    }
    if (schema instanceof Schema.OptionalValue optional) {
      ValueReader<Object> value = reader(stored.part(optional.value()));
      return input -> input.readBoolean() ? Optional.of(value.read(input)) : Optional.empty();
    }
    if (schema instanceof Schema.Enumeration) {
      return ByteReader::readString;
    }
    if (schema instanceof Schema.Opaque) {
      return input -> input.readBytes(input.readCount());
    }
    return basic(schema.toString());
  }

  private static ValueReader<Object> basic(String form) {
    ValueReader<?> reader = form.equals(Schema.JSON) ? Scalars.STRING : Scalars.ofForm(form);
    if (reader == null) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "the stored form '" + form + "' is not known",
          "A newer release has probably written it: use that one.",
          null);
    }
    return reader::read;
  }

  private static ValueReader<Object> mapping(ValueReader<Object> keys, ValueReader<Object> values) {
    return input -> {
      Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
      Elements.readEntries(map, keys, values, null, null, input);
      return Collections.unmodifiableMap(map);
    };
  }

  private ValueReader<Object> structure(Stored stored, Schema.Structure structure) {
    List<ValueReader<Object>> readers = new ArrayList<>();
    for (Schema.Field field : structure.fields()) {
      readers.add(reader(stored.part(field.schema())));
    }
    StructureLayout layout = StructureLayout.of(structure);
    return input -> {
      byte[] flags = layout.readFlags(input);
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < readers.size(); i++) {
        fields.put(
            structure.fields().get(i).name(),
            layout.isNull(flags, i) ? null : readers.get(i).read(input));
      }
      return new Schema.StoredStructure(structure.name(), Collections.unmodifiableMap(fields));
    };
  }

  private ValueReader<Object> union(Stored stored, Schema.Union union) {
    Map<String, ValueReader<Object>> readers = new HashMap<>();
    for (Schema.Alternative alternative : union.alternatives()) {
      readers.put(alternative.name(), reader(stored.part(alternative.schema())));
    }
    return input -> UnionSerde.alternative(readers, union.name(), input).read(input);
  }
}
