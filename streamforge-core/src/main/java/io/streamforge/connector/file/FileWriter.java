package io.streamforge.connector.file;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the files of one task, one after the other. */
final class FileWriter<K, V> implements SinkWriter<K, V> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Part<K, V>(PartFile file, RecordEncoder<K, V> encoder) {}

  private final Path directory;
  private final FileEncoding<K, V> encoding;
  private final FileSink.Settings settings;
  private final SinkContext context;
  private long sequence;
  private @Nullable Part<K, V> part;
  private long openedNanos;

  FileWriter(
      Path directory,
      FileEncoding<K, V> encoding,
      FileSink.Settings settings,
      SinkContext context) {
    this.directory = directory;
    this.encoding = encoding;
    this.settings = settings;
    this.context = context;
    try {
      Files.createDirectories(directory);
      this.sequence = firstFreeSequence();
    } catch (IOException e) {
      throw failed("files cannot be written into " + directory, e);
    }
    if (!Files.isWritable(directory)) {
      throw failed("this process may not write into " + directory, null);
    }
  }

  /** Behind all files of this task that are there, complete or not. */
  private long firstFreeSequence() throws IOException {
    Pattern name = Pattern.compile("\\.?part-" + context.taskIndex() + "-(\\d{1,18})\\..*");
    try (Stream<Path> files = Files.list(directory)) {
      return files
              .map(file -> name.matcher(file.getFileName().toString()))
              .filter(Matcher::matches)
              .mapToLong(match -> Long.parseLong(match.group(1)))
              .max()
              .orElse(-1)
          + 1;
    }
  }

  @Override
  @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
  public void write(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    try {
      Part<K, V> current = part != null ? part : open();
      current.encoder.encode(new Record<>(key, value, timestampMillis, headers));
      if (settings.rollBytes() > 0 && current.file.size() >= settings.rollBytes()) {
        complete();
      }
    } catch (IOException e) {
      throw failed("a file in " + directory + " cannot be written", e);
    }
  }

  private Part<K, V> open() throws Exception {
    PartFile file = null;
    while (file == null) {
      String name = "part-" + context.taskIndex() + "-" + sequence++ + "." + encoding.extension();
      file = PartFile.create(directory, name);
    }
    try {
      Part<K, V> opened = new Part<>(file, encoding.open(file.output()));
      part = opened;
      openedNanos = context.clock().monotonicNanos();
      return opened;
    } catch (Throwable e) {
      file.delete();
      throw e;
    }
  }

  @Override
  public void tick() throws Exception {
    if (settings.rollMillis() > 0
        && context.clock().monotonicNanos() - openedNanos
            >= settings.rollMillis() * NANOS_PER_MILLI) {
      finish();
    }
  }

  @Override
  public void finish() {
    try {
      complete();
    } catch (IOException e) {
      throw failed("a file in " + directory + " cannot be completed", e);
    }
  }

  private void complete() throws IOException {
    if (part != null) {
      part.encoder.flush();
      part.file.complete();
      part = null;
    }
  }

  @Override
  public void close() throws IOException {
    if (part != null) {
      part.file.delete();
      part = null;
    }
  }

  private StreamForgeException failed(String summary, @Nullable IOException cause) {
    return new StreamForgeException(
        ErrorCode.SINK_FAILED,
        ErrorContext.node(context.node()),
        cause == null ? summary : summary + ": " + cause,
        "Check that the directory is one, that this process may write there and that the disk has"
            + " room.",
        cause);
  }
}
