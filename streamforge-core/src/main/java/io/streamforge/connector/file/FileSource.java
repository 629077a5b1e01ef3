package io.streamforge.connector.file;

import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads files, or all files of directories in the order of their names, each as a split. Files that
 * are compressed by gzip are recognised. Of a directory, what is hidden, ends in {@code .tmp} or is
 * a directory is left out.
 *
 * <p>A position is the offset of the next record's first byte; in a compressed file it is the
 * number of records before.
 *
 * @param <V> values
 */
public final class FileSource<V> implements Source<Void, V> {
  private final FileFormat<V> format;
  private final List<Path> paths;
  private final FileReadSettings settings;

  private FileSource(FileFormat<V> format, List<Path> paths, FileReadSettings settings) {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("at least one file or directory is needed");
    }
    this.format = Objects.requireNonNull(format);
    this.paths = List.copyOf(paths);
    this.settings = settings;
  }

  /** The lines of these files or directories, in UTF-8; a line ends in LF or CR LF. */
  public static FileSource<String> lines(Path... paths) {
    return of(new LineFormat(), paths);
  }

  /** What these files or directories hold, in a format. */
  public static <V> FileSource<V> of(FileFormat<V> format, Path... paths) {
    return new FileSource<>(format, List.of(paths), FileReadSettings.DEFAULTS);
  }

  /**
   * The same without an end: goes on when files grow, and with files that appear in the
   * directories. A record whose end of line has not been written is waited for. A file must only
   * grow; a compressed one is read once.
   */
  public FileSource<V> follow() {
    return with(
        new FileReadSettings(
            true, settings.malformed(), settings.maxRecordBytes(), settings.poll()));
  }

  /** The same, looking for more every so often; 200 ms unless it is set. */
  public FileSource<V> follow(Duration poll) {
    return with(new FileReadSettings(true, settings.malformed(), settings.maxRecordBytes(), poll));
  }

  /**
   * The same with a policy of its own for records that cannot be decoded, instead of that of its
   * node.
   */
  public FileSource<V> malformed(MalformedPolicy policy) {
    return with(
        new FileReadSettings(
            settings.follow(),
            Objects.requireNonNull(policy),
            settings.maxRecordBytes(),
            settings.poll()));
  }

  /** The same with another limit than 256 MiB for a record. */
  public FileSource<V> maxRecordBytes(int maxRecordBytes) {
    return with(
        new FileReadSettings(
            settings.follow(), settings.malformed(), maxRecordBytes, settings.poll()));
  }

  private FileSource<V> with(FileReadSettings changed) {
    return new FileSource<>(format, paths, changed);
  }

  @Override
  public boolean bounded() {
    return !settings.follow();
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    return new FileEnumerator(format, paths, settings);
  }

  @Override
  public SourceReader<Void, V> reader(SourceContext context) {
    return new FileReader<>(format, settings);
  }

  @Override
  public Type keyType() {
    return Void.class;
  }

  @Override
  public @Nullable Type valueType() {
    return format.valueType();
  }

  @Override
  public boolean hasTimestamps() {
    return false;
  }

  @Override
  public String describe() {
    String names =
        paths.stream()
            .map(path -> String.valueOf(path.getFileName() == null ? path : path.getFileName()))
            .collect(Collectors.joining(", "));
    return format.describe() + " of " + names + (settings.follow() ? ", followed" : "");
  }
}
