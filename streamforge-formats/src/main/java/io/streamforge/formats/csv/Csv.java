package io.streamforge.formats.csv;

import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.file.FileSource;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Files with comma-separated values (RFC 4180) and a header, as records of a class. A component of
 * the class is read from the column of its name; case, blanks, hyphens and underscores make no
 * difference where no column has exactly that name. Other columns are ignored.
 *
 * <p>Components may be strings, primitives and their boxes, enums, {@code BigDecimal}, {@code
 * BigInteger}, {@code UUID}, the ISO forms of {@code java.time}, and {@code Optional} of these. An
 * empty field is the empty string, an empty {@code Optional}, or null; for a primitive it is
 * malformed, as is a line with more or fewer fields than the header. Empty lines are passed over.
 *
 * @param <R> the record class
 */
public final class Csv<R extends Record> {
  private final Class<R> recordClass;
  private final CsvDialect dialect;

  private Csv(Class<R> recordClass, CsvDialect dialect) {
    this.recordClass = Objects.requireNonNull(recordClass);
    this.dialect = dialect;
    // Fails for a class that cannot be read, here and not when the job starts.
    RecordShape.of(recordClass, dialect.missing());
  }

  /** Fields separated by commas and quoted by double quotes. */
  public static <R extends Record> Csv<R> of(Class<R> recordClass) {
    return new Csv<>(recordClass, CsvDialect.DEFAULT);
  }

  /** Reads a file or a directory; the same as {@code Csv.of(recordClass).read(path)}. */
  public static <R extends Record> FileSource<R> source(Path path, Class<R> recordClass) {
    return of(recordClass).read(path);
  }

  /** Writes into a directory; the same as {@code Csv.of(recordClass).write(directory)}. */
  public static <K, R extends Record> FileSink<K, R> sink(Path directory, Class<R> recordClass) {
    return of(recordClass).write(directory);
  }

  /** The same with another separator, an ASCII character. */
  public Csv<R> separator(char separator) {
    return new Csv<>(recordClass, new CsvDialect(separator, dialect.quote(), dialect.missing()));
  }

  /** The same with another quote, an ASCII character. */
  public Csv<R> quote(char quote) {
    return new Csv<>(recordClass, new CsvDialect(dialect.separator(), quote, dialect.missing()));
  }

  /** The same with a text such as {@code NA} that stands for no value, as an empty field does. */
  public Csv<R> missing(String missing) {
    return new Csv<>(recordClass, new CsvDialect(dialect.separator(), dialect.quote(), missing));
  }

  /** Reads files, or all files of directories. */
  public FileSource<R> read(Path... paths) {
    return FileSource.of(new CsvFormat<>(recordClass, dialect), paths);
  }

  /** Writes the values of records, each file beginning with a header. */
  public <K> FileSink<K, R> write(Path directory) {
    return FileSink.of(directory, new CsvEncoding<>(recordClass, dialect));
  }
}
