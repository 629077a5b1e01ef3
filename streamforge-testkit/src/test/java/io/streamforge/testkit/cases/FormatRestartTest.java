package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.file.MalformedPolicy;
import io.streamforge.formats.csv.Csv;
import io.streamforge.formats.json.JsonLines;
import io.streamforge.record.Headers;
import io.streamforge.scheduler.SystemClock;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of records that are opened again go on behind any record, plain and compressed. */
class FormatRestartTest {
  /** A line of the files here. */
  record Row(String name, int amount) {}

  private static final String CSV =
      "\uFEFFamount,name\r\n1,\"two\r\nlines\"\r\n2,\"a \"\"quote\"\", a comma\"\n\n3,ä€😀\nmany,x\n4,end";
  private static final String JSON =
      "{\"name\":\"a\",\"amount\":1}\n\n  \n{\"name\":\"ä€😀\",\"amount\":2}\r\n{\"name\":\n"
          + "{\"amount\":3,\"name\":\"c\"}";

  @TempDir Path directory;

  @Test
  void csvFilesGoOnBelowTheirHeader() throws Exception {
    for (Path file : plainAndCompressed("rows.csv", CSV)) {
      FileSource<Row> source = Csv.source(file, Row.class).malformed(MalformedPolicy.SKIP);
      assertThat(checkRestarts(source))
          .containsExactly(
              new Row("two\r\nlines", 1),
              new Row("a \"quote\", a comma", 2),
              new Row("ä€😀", 3),
              new Row("end", 4));
    }
  }

  @Test
  void jsonLinesGoOnBehindAnyLine() throws Exception {
    for (Path file : plainAndCompressed("rows.jsonl", JSON)) {
      FileSource<Row> source = JsonLines.source(file, Row.class).malformed(MalformedPolicy.SKIP);
      assertThat(checkRestarts(source))
          .containsExactly(new Row("a", 1), new Row("ä€😀", 2), new Row("c", 3));
    }
  }

  private List<Path> plainAndCompressed(String name, String content) throws IOException {
    Path compressed = directory.resolve(name + ".gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return List.of(Files.writeString(directory.resolve(name), content), compressed);
  }

  /** What follows from each position, of a record or of what was skipped, must be the rest. */
  private static <V> List<V> checkRestarts(FileSource<V> source) throws Exception {
    SourceContext context = new SourceContext("job", "in", 0, 1, new SystemClock(), () -> {});
    Split split;
    try (SplitEnumerator enumerator = source.enumerator(context)) {
      split = enumerator.discover().get(0);
    }
    List<Read<V>> whole = read(source, context, split);
    for (int i = 0; i < whole.size(); i++) {
      Split from = new Split(split.id(), whole.get(i).nextPosition());
      assertThat(read(source, context, from))
          .as("restart of %s", from)
          .isEqualTo(whole.subList(i + 1, whole.size()));
    }
    List<V> values = new ArrayList<>();
    for (Read<V> each : whole) {
      if (each.value() != null) {
        values.add(each.value());
      }
    }
    assertThat(values).hasSize(whole.size() - 1);
    return values;
  }

  private static <V> List<Read<V>> read(FileSource<V> source, SourceContext context, Split split)
      throws Exception {
    Reads<V> reads = new Reads<>();
    try (SourceReader<Void, V> reader = source.reader(context)) {
      reader.add(split);
      while (reader.read(reads) == ReadStatus.MORE) {
        reads.room = 2;
      }
    }
    assertThat(reads.ended).isTrue();
    return reads.all;
  }

  /** A record, or what was skipped, which has no value. */
  private record Read<V>(@Nullable V value, long nextPosition) {}

  private static final class Reads<V> implements RecordOutput<Void, V> {
    private final List<Read<V>> all = new ArrayList<>();
    private int room = 2;
    private boolean ended;

    @Override
    public boolean full() {
      return room == 0;
    }

    @Override
    public boolean paused(int split) {
      return false;
    }

    @Override
    public void emit(
        int split,
        @Nullable Void key,
        @Nullable V value,
        long timestampMillis,
        @Nullable Headers headers,
        long nextPosition) {
      room--;
      all.add(new Read<>(value, nextPosition));
    }

    @Override
    public void watermark(int split, long watermarkMillis) {}

    @Override
    public void skip(int split, String reason, long nextPosition) {
      room--;
      all.add(new Read<>(null, nextPosition));
    }

    @Override
    public void end(int split) {
      ended = true;
    }

    @Override
    public void backlog(int split, long records) {}
  }
}
