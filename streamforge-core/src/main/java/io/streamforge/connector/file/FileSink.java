package io.streamforge.connector.file;

import io.streamforge.record.Record;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Writes files named {@code part-<task>-<sequence>.<extension>} into a directory, which is made if
 * it does not exist. A file is complete as soon as it has that name; until then it is hidden. Files
 * that are there already are never overwritten: the sequence goes on behind them. Whoever reads
 * them may delete them or move them away.
 *
 * <p>In a job with checkpoints a file appears when the checkpoint that covers it has been
 * published, so that readers see each record once, whatever dies. The directory then belongs to
 * this sink alone, and its hidden files must be left to it: they are what it knows by.
 *
 * <p>In a job without, a file appears when it is completed, and one that is not is deleted when the
 * job fails. After a crash hidden files ending with {@code .inprogress} may be left; they may be
 * deleted when no job writes there.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class FileSink<K, V> implements CommittingSink<K, V> {
  /**
   * When a file is completed and the next begun.
   *
   * @param rollBytes 0: at no size
   * @param rollMillis 0: at no age
   */
  record Settings(long rollBytes, long rollMillis) {}

  private final Path directory;
  private final FileEncoding<K, V> encoding;
  private final Settings settings;
  private final PartDisk disk;

  private FileSink(Path directory, FileEncoding<K, V> encoding, Settings settings, PartDisk disk) {
    this.directory = Objects.requireNonNull(directory);
    this.encoding = Objects.requireNonNull(encoding);
    this.settings = settings;
    this.disk = disk;
  }

  /** Lines of {@code key=value}, or the value alone where there is no key. */
  public static <K, V> FileSink<K, V> lines(Path directory) {
    return lines(directory, TextEncoding::keyAndValue);
  }

  /** A line a record, as the formatter returns it. */
  public static <K, V> FileSink<K, V> lines(
      Path directory, Function<? super Record<K, V>, String> formatter) {
    return of(directory, new TextEncoding<>(formatter));
  }

  /** Files in a format. */
  public static <K, V> FileSink<K, V> of(Path directory, FileEncoding<K, V> encoding) {
    return new FileSink<>(directory, encoding, new Settings(0, 0), PartDisk.REAL);
  }

  /** The same on a disk that tests provide. */
  FileSink<K, V> on(PartDisk disk) {
    return new FileSink<>(directory, encoding, settings, disk);
  }

  /** The same, a file being completed when it has at least this size. */
  public FileSink<K, V> rollBytes(long rollBytes) {
    return new FileSink<>(
        directory,
        encoding,
        new Settings(positive("rollBytes", rollBytes), settings.rollMillis),
        disk);
  }

  /** The same, a file being completed when it is about this old. */
  public FileSink<K, V> rollEvery(Duration age) {
    return new FileSink<>(
        directory,
        encoding,
        new Settings(settings.rollBytes, positive("rollEvery in milliseconds", age.toMillis())),
        disk);
  }

  private static long positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1: " + value);
    }
    return value;
  }

  @Override
  public CommittingWriter<K, V> writer(SinkContext context) {
    return new FileWriter<>(directory, encoding, settings, disk, context);
  }

  @Override
  public List<WriterMarker> fence(SinkContext context, List<WriterState> writers) {
    try {
      return new CommitDirectory(directory, disk, context).fence();
    } catch (IOException e) {
      throw FileSinkErrors.notCommitted(context.node(), directory, e);
    }
  }

  @Override
  public void recover(SinkContext context, List<WriterState> writers, Ownership ownership)
      throws Exception {
    try {
      new CommitDirectory(directory, disk, context).recover(writers, ownership);
    } catch (IOException e) {
      throw FileSinkErrors.notCommitted(context.node(), directory, e);
    }
  }

  @Override
  public String describe() {
    return encoding.extension() + " files in " + directory;
  }
}
