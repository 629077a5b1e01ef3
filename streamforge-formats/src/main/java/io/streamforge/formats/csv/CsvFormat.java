package io.streamforge.formats.csv;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvReader.CsvReaderBuilder;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import io.streamforge.connector.file.FileFormat;
import io.streamforge.connector.file.Framing;
import io.streamforge.connector.file.MalformedRecordException;
import io.streamforge.connector.file.RawRecord;
import io.streamforge.connector.file.RecordDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads records below a header. */
record CsvFormat<R extends Record>(Class<R> recordClass, CsvDialect dialect)
    implements FileFormat<R> {
  /** The parser's own limits for buffer, field and record are at least this. */
  private static final int FIELD_CHARS = 1 << 24;

  @Override
  public String describe() {
    return "CSV records";
  }

  @Override
  public Class<R> valueType() {
    return recordClass;
  }

  @Override
  public Framing framing() {
    return new CsvFraming(dialect);
  }

  @Override
  public boolean hasHeader() {
    return true;
  }

  @Override
  public RecordDecoder<R> decoder(@Nullable RawRecord header) throws MalformedRecordException {
    if (header == null) {
      throw new MalformedRecordException("there is none");
    }
    RecordShape<R> shape = RecordShape.of(recordClass, dialect.missing());
    List<String> names = parse(header, builder());
    int[] columns = Columns.match(shape.names(), names);
    CsvReaderBuilder builder = builder();
    return record ->
        record.length() == 0 ? null : decode(parse(record, builder), names.size(), shape, columns);
  }

  private static <R extends Record> R decode(
      List<String> fields, int expected, RecordShape<R> shape, int[] columns)
      throws MalformedRecordException {
    if (fields.size() != expected) {
      throw new MalformedRecordException(
          "it has " + fields.size() + " fields, but the header has " + expected,
          0,
          Math.min(fields.size(), expected) + 1,
          null);
    }
    return shape.make(fields, columns);
  }

  private CsvReaderBuilder builder() {
    return CsvReader.builder()
        .fieldSeparator(dialect.separator())
        .quoteCharacter(dialect.quote())
        .allowExtraCharsAfterClosingQuote(false)
        .allowUnclosedQuote(false)
        .skipEmptyLines(false);
  }

  private CsvRecord parseHuge(String text) {
    int size = text.length() + 1;
    return builder()
        .maxBufferSize(size)
        .ofSingleCsvRecord(
            CsvRecordHandler.of(handler -> handler.maxRecordSize(size).maxFieldSize(size)), text);
  }

  private List<String> parse(RawRecord raw, CsvReaderBuilder builder)
      throws MalformedRecordException {
    String text = raw.text();
    try {
      CsvRecord parsed =
          text.length() < FIELD_CHARS ? builder.ofSingleCsvRecord(text) : parseHuge(text);
      return parsed.getFields();
    } catch (CsvParseException e) {
      int column = Columns.misquoted(text, dialect);
      throw new MalformedRecordException(
          column > 0
              ? "something follows the closing quote of a field"
              : "it is not a line of comma-separated values: " + e.getMessage(),
          0,
          column,
          e);
    }
  }
}
