package io.streamforge.formats.json;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.TypeRef;
import java.lang.reflect.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes values as JSON, for types that the built-in serdes do not know or whose fields come and
 * go. Not for keys: equal values may have different JSON. Thread-safe.
 *
 * <p>What was stored as JSON is read as whatever the type is now; the mapper decides about each
 * value, and one that it does not accept is an error when it is read. The default mapper ignores
 * properties that the type no longer has, and leaves new ones null, zero or false.
 *
 * @param <T> the type
 */
public final class JsonSerde<T> implements Serde<T> {
  private final ObjectReader reader;
  private final ObjectWriter writer;
  private final String name;

  private JsonSerde(JsonMapper mapper, Type type) {
    this.reader = mapper.readerFor(mapper.constructType(type));
    this.writer = mapper.writerFor(mapper.constructType(type));
    this.name = "json<" + type.getTypeName() + ">";
  }

  /** For a class. */
  public static <T> JsonSerde<T> of(Class<T> type) {
    return new JsonSerde<>(JsonMappers.DEFAULT, type);
  }

  /** For a generic type. */
  public static <T> JsonSerde<T> of(TypeRef<T> type) {
    return new JsonSerde<>(JsonMappers.DEFAULT, type.type());
  }

  /** For a class, with a mapper of one's own. */
  public static <T> JsonSerde<T> of(JsonMapper mapper, Class<T> type) {
    return new JsonSerde<>(mapper, type);
  }

  /** For a generic type, with a mapper of one's own. */
  public static <T> JsonSerde<T> of(JsonMapper mapper, TypeRef<T> type) {
    return new JsonSerde<>(mapper, type.type());
  }

  @Override
  public void write(T value, ByteWriter output) {
    byte[] json;
    try {
      json = writer.writeValueAsBytes(Objects.requireNonNull(value));
    } catch (JacksonException e) {
      throw failed("a value cannot be written as JSON: " + e.getOriginalMessage(), e);
    }
    output.writeVarInt(json.length);
    output.writeBytes(json);
  }

  @Override
  public T read(ByteReader input) {
    byte[] json = input.readBytes(input.readCount());
    T value;
    try {
      value = reader.readValue(json);
    } catch (JacksonException e) {
      throw failed("a value cannot be read from JSON: " + e.getOriginalMessage(), e);
    }
    if (value == null) {
      throw failed("a value cannot be read from JSON: it is null", null);
    }
    return value;
  }

  private StreamForgeException failed(String what, @Nullable Exception cause) {
    return new StreamForgeException(
        ErrorCode.SERDE_FAILED, ErrorContext.NONE, what + " (" + name + ")", cause);
  }

  /** The same for all types: a text says itself what it has. */
  @Override
  public Schema schema() {
    return new Schema.Basic(Schema.JSON);
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public String name() {
    return name;
  }
}
