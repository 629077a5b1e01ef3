package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.file.FileSource;
import io.streamforge.engine.Engine;
import io.streamforge.error.StreamForgeException;
import io.streamforge.formats.csv.Csv;
import io.streamforge.formats.json.JsonLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case I02: a line of 100 MB, in a process whose heap has room for a few of them. */
class HugeLineTest {
  /** A line of the files with fields. */
  record Row(String name, int amount) {}

  private static final int HUGE = 100_000_000;
  private static final String HEAP = "-Xmx640m";

  @TempDir Path directory;

  @Test
  void i02ALineOfAHundredMegabytesIsReadWithAHeapOfAFewTimesThat() throws Exception {
    String sizes = "5\n" + HUGE + "\n4\n";
    assertThat(run("lines", file("a.txt", "short\n", "\nlast"))).isEqualTo(sizes);
    assertThat(run("csv", file("a.csv", "name,amount\nshort,1\n\"", "\",2\nlast,3\n")))
        .isEqualTo(sizes);
    assertThat(
            run(
                "json",
                file(
                    "a.jsonl",
                    "{\"name\":\"short\",\"amount\":1}\n{\"name\":\"",
                    "\",\"amount\":2}\n{\"name\":\"last\",\"amount\":3}\n")))
        .isEqualTo(sizes);
  }

  @Test
  void i02ALineOfAHundredMegabytesBeyondTheLimitNeedsNoMemory() throws Exception {
    Path file = file("a.txt", "short\n", "\nlast");
    assertThat(run("limit", file))
        .contains("RECORD_MALFORMED", "a.txt", "line 2", "longer than 1000000 bytes");
  }

  private Path file(String name, String before, String after) throws IOException {
    byte[] some = new byte[1_000_000];
    Arrays.fill(some, (byte) 'x');
    Path file = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(before.getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < HUGE / some.length; i++) {
        out.write(some);
      }
      out.write(after.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  /** Prints the length of each line or name, or the error. */
  public static void main(String[] arguments) throws InterruptedException {
    Path file = Path.of(arguments[1]);
    var builder = Topology.builder("huge");
    Stream<Void, String> names =
        switch (arguments[0]) {
          case "lines" -> builder.source("in", FileSource.lines(file));
          case "limit" -> builder.source("in", FileSource.lines(file).maxRecordBytes(1_000_000));
          case "csv" ->
              builder
                  .source("in", Csv.source(file, Row.class))
                  .mapValues("name", row -> row.name());
          default ->
              builder
                  .source("in", JsonLines.source(file, Row.class))
                  .mapValues("name", row -> row.name());
        };
    Topology topology =
        names.mapValues("length", name -> name.length()).sink("out", Sinks.stdout()).build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
    } catch (StreamForgeException e) {
      System.out.println(e.getMessage());
    }
  }

  private String run(String kind, Path file) throws Exception {
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                kind.equals("limit") ? "-Xmx48m" : HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                HugeLineTest.class.getName(),
                kind,
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    if (!process.waitFor(100, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it does not end: " + Files.readString(out));
    }
    return Files.readString(out);
  }
}
