package io.streamforge.connector.file;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Each line is a value. */
final class LineFormat implements FileFormat<String> {
  @Override
  public String describe() {
    return "lines";
  }

  @Override
  public Type valueType() {
    return String.class;
  }

  @Override
  public RecordDecoder<String> decoder(@Nullable RawRecord header) {
    return RawRecord::text;
  }
}
