package io.streamforge.formats.json;

import io.streamforge.connector.file.FileFormat;
import io.streamforge.connector.file.MalformedRecordException;
import io.streamforge.connector.file.RawRecord;
import io.streamforge.connector.file.RecordDecoder;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/** Reads a value from each line. */
record JsonLinesFormat<T>(JsonMapper mapper, Type valueType) implements FileFormat<T> {
  @Override
  public String describe() {
    return "JSON lines";
  }

  @Override
  public RecordDecoder<T> decoder(@Nullable RawRecord header) {
    ObjectReader reader = mapper.readerFor(mapper.constructType(valueType));
    return record -> record.blank() ? null : decode(reader, record);
  }

  private static <T> T decode(ObjectReader reader, RawRecord record)
      throws MalformedRecordException {
    T value;
    try {
      value = reader.readValue(record.bytes(), record.offset(), record.length());
    } catch (JacksonException e) {
      value = decodeText(reader, record);
    }
    if (value == null) {
      throw new MalformedRecordException("null is not a value here");
    }
    return value;
  }

  /**
   * Once more from the text: the fault may be bytes that are not UTF-8, and there the source
   * decides.
   */
  private static <T> @Nullable T decodeText(ObjectReader reader, RawRecord record)
      throws MalformedRecordException {
    String text = record.text();
    try {
      return reader.readValue(text);
    } catch (JacksonException e) {
      int column = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getColumnNr());
      String message = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ");
      throw new MalformedRecordException(message, 0, column, e);
    }
  }
}
