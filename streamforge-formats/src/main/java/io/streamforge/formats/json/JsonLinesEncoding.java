package io.streamforge.formats.json;

import io.streamforge.connector.file.FileEncoding;
import io.streamforge.connector.file.RecordEncoder;
import java.io.OutputStream;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes each value on a line. */
record JsonLinesEncoding<K, V>(JsonMapper mapper) implements FileEncoding<K, V> {
  @Override
  public String extension() {
    return "jsonl";
  }

  @Override
  public RecordEncoder<K, V> open(OutputStream output) {
    ObjectWriter writer = mapper.writer().without(SerializationFeature.INDENT_OUTPUT);
    return record -> {
      output.write(writer.writeValueAsBytes(record.value()));
      output.write('\n');
    };
  }
}
