package io.streamforge.connector.file;

import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.SinkContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes the files of one task, one after the other. */
final class FileWriter<K, V> implements CommittingWriter<K, V> {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private record Part<K, V>(PreparedPart name, PartFile file, RecordEncoder<K, V> encoder) {}

  /** A completed part that belongs to the next checkpoint. */
  private record Rolled(PreparedPart part, PartFile file) {}

  private final Path directory;
  private final FileEncoding<K, V> encoding;
  private final FileSink.Settings settings;
  private final SinkContext context;
  private final PartDisk disk;
  private final CommitDirectory commits;
  private final long attempt;
  private final List<Rolled> rolled = new ArrayList<>();
  private long sequence;
  private @Nullable Part<K, V> part;
  private long openedNanos;

  /** What the encoder has thrown before it wrote anything of the last record; null: nothing. */
  private @Nullable Exception refusedRecord;

  FileWriter(
      Path directory,
      FileEncoding<K, V> encoding,
      FileSink.Settings settings,
      PartDisk disk,
      SinkContext context) {
    this.directory = directory;
    this.encoding = encoding;
    this.settings = settings;
    this.context = context;
    this.disk = disk;
    this.commits = new CommitDirectory(directory, disk, context);
    try {
      disk.createDirectories(directory);
      this.attempt = context.checkpointed() ? commits.claim() : 0;
      this.sequence = firstFreeSequence();
    } catch (IOException e) {
      throw refused("files cannot be written into " + directory, e);
    }
    if (!Files.isWritable(directory)) {
      throw refused("this process may not write into " + directory, null);
    }
  }

  /** Behind all files of this task that are there, complete or not, or that were committed. */
  private long firstFreeSequence() throws IOException {
    Pattern name = Pattern.compile("\\.?part-" + context.taskIndex() + "-(\\d{1,18})\\..*");
    List<String> names = disk.list(directory);
    long there =
        names.stream()
            .map(name::matcher)
            .filter(Matcher::matches)
            .mapToLong(match -> Long.parseLong(match.group(1)))
            .max()
            .orElse(-1);
    return Math.max(there, CommitMarker.sequence(names, context.taskIndex())) + 1;
  }

  @Override
  @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
  public void write(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    try {
      Part<K, V> current = part != null ? part : open();
      encode(current, new Record<>(key, value, timestampMillis, headers));
      if (settings.rollBytes() > 0 && current.file.size() >= settings.rollBytes()) {
        complete();
      }
    } catch (IOException e) {
      throw refused("a file in " + directory + " cannot be written", e);
    }
  }

  private void encode(Part<K, V> current, Record<K, V> record) throws Exception {
    long before = current.file.size();
    try {
      current.encoder.encode(record);
    } catch (IOException | UncheckedIOException e) {
      throw e;
    } catch (Exception e) {
      refusedRecord = current.file.size() == before ? e : null;
      throw e;
    }
  }

  @Override
  public boolean refuses(Exception failure) {
    return failure == refusedRecord;
  }

  private Part<K, V> open() throws Exception {
    PreparedPart name = nextName();
    PartFile file = PartFile.create(disk, hidden(name), directory.resolve(name.name()));
    while (file == null) {
      name = nextName();
      file = PartFile.create(disk, hidden(name), directory.resolve(name.name()));
    }
    try {
      Part<K, V> opened = new Part<>(name, file, encoding.open(file.output()));
      part = opened;
      openedNanos = context.clock().monotonicNanos();
      return opened;
    } catch (Throwable e) {
      file.delete();
      throw e;
    }
  }

  private PreparedPart nextName() {
    return new PreparedPart(context.taskIndex(), sequence++, encoding.extension(), attempt);
  }

  /**
   * Without checkpoints a name of which there is one: nobody else can take the part's own name,
   * since only the owner of the hidden file moves a file there.
   */
  private Path hidden(PreparedPart part) {
    return directory.resolve(
        context.checkpointed() ? part.hiddenName() : "." + part.name() + ".inprogress");
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
      throw refused("a file in " + directory + " cannot be completed", e);
    }
  }

  private void complete() throws IOException {
    Part<K, V> current = part;
    if (current == null) {
      return;
    }
    current.encoder.flush();
    current.file.finish();
    if (context.checkpointed()) {
      rolled.add(new Rolled(current.name, current.file));
    } else {
      current.file.show(directory.resolve(current.name.name()));
      disk.forceDirectory(directory);
    }
    part = null;
  }

  @Override
  public List<Committable> prepare(long checkpoint) {
    try {
      complete();
      if (rolled.isEmpty()) {
        return List.of();
      }
      disk.forceDirectory(directory);
    } catch (IOException e) {
      throw refused(
          "a file in " + directory + " cannot be completed for checkpoint " + checkpoint, e);
    }
    List<Committable> committables = new ArrayList<>();
    for (Rolled ready : rolled) {
      committables.add(new Committable(checkpoint, ready.part.content(ready.file.size())));
    }
    rolled.clear();
    return committables;
  }

  @Override
  public CommitResult commit(Committable committable) {
    try {
      return commits.commit(committable);
    } catch (IOException e) {
      throw FileSinkErrors.notCommitted(context.node(), directory, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (part != null) {
      part.file.delete();
      part = null;
    }
    for (Rolled unprepared : rolled) {
      unprepared.file.delete();
    }
    rolled.clear();
  }

  private StreamForgeException refused(String summary, @Nullable IOException cause) {
    return FileSinkErrors.refused(context.node(), summary, cause);
  }
}
