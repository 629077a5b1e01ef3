package io.streamforge.connector.file;

import io.streamforge.record.Record;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** A line a record, ended by LF. */
record TextEncoding<K, V>(Function<? super Record<K, V>, String> formatter)
    implements FileEncoding<K, V> {
  @Override
  public String extension() {
    return "txt";
  }

  @Override
  public RecordEncoder<K, V> open(OutputStream output) {
    return record -> {
      output.write(formatter.apply(record).getBytes(StandardCharsets.UTF_8));
      output.write('\n');
    };
  }

  static String keyAndValue(Record<?, ?> record) {
    return record.key() == null
        ? String.valueOf(record.value())
        : record.key() + "=" + record.value();
  }
}
