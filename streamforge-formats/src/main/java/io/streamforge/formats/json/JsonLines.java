package io.streamforge.formats.json;

import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.serde.TypeRef;
import java.lang.reflect.Type;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files with a JSON value on each line. Blank lines are passed over. Unknown properties are
 * ignored, unless a mapper that says otherwise is given.
 */
public final class JsonLines {
  private final JsonMapper mapper;

  private JsonLines(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** With a mapper of one's own. */
  public static JsonLines with(JsonMapper mapper) {
    return new JsonLines(mapper);
  }

  /** Reads a file, or all files of a directory. */
  public static <T> FileSource<T> source(Path path, Class<T> type) {
    return with(JsonMappers.DEFAULT).read(type, path);
  }

  /** Writes the values of records into a directory. */
  public static <K, V> FileSink<K, V> sink(Path directory) {
    return with(JsonMappers.DEFAULT).write(directory);
  }

  /** Reads files, or all files of directories. */
  public <T> FileSource<T> read(Class<T> type, Path... paths) {
    return FileSource.of(new JsonLinesFormat<>(mapper, type), paths);
  }

  /** Reads values of a generic type from files, or from all files of directories. */
  public <T> FileSource<T> read(TypeRef<T> type, Path... paths) {
    Type full = type.type();
    return FileSource.of(new JsonLinesFormat<>(mapper, full), paths);
  }

  /** Writes the values of records into a directory. */
  public <K, V> FileSink<K, V> write(Path directory) {
    return FileSink.of(directory, new JsonLinesEncoding<>(mapper));
  }
}
