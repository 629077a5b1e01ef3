package io.streamforge.formats.csv;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.streamforge.connector.file.FileEncoding;
import io.streamforge.connector.file.RecordEncoder;
import io.streamforge.record.Record;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a header, and a line for each value. */
record CsvEncoding<K, R extends java.lang.Record>(Class<R> recordClass, CsvDialect dialect)
    implements FileEncoding<K, R> {
  @Override
  public String extension() {
    return "csv";
  }

  @Override
  public RecordEncoder<K, R> open(OutputStream output) {
    CsvWriter writer =
        CsvWriter.builder()
            .fieldSeparator(dialect.separator())
            .quoteCharacter(dialect.quote())
            .lineDelimiter(LineDelimiter.LF)
            .build(output, StandardCharsets.UTF_8);
    RecordShape<R> shape = RecordShape.of(recordClass, dialect.missing());
    writer.writeRecord(shape.names());
    return new Encoder<>(writer, shape);
  }

  private record Encoder<K, R extends java.lang.Record>(CsvWriter writer, RecordShape<R> shape)
      implements RecordEncoder<K, R> {
    @Override
    public void encode(Record<K, R> record) {
      if (record.value() == null) {
        throw new IllegalArgumentException("a record without a value has no CSV form");
      }
      writer.writeRecord(shape.fields(record.value()));
    }

    @Override
    public void flush() throws IOException {
      writer.flush();
    }
  }
}
