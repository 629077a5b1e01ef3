package io.streamforge.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flights against a loop over the lines of the file. */
class FlightsTest {
  private static final Path BUNDLED = Path.of("data/flights-2001-w1.csv.gz");

  @TempDir private Path directory;

  private static final class Totals {
    private long flights;
    private long minutes;
    private long delayed;
  }

  /** With integers, so that rounding is beyond doubt: half away from zero. */
  private static String rounded(long part, long whole, int decimals) {
    long scale = 1;
    for (int i = 0; i < decimals; i++) {
      scale *= 10;
    }
    long scaled = (2 * Math.abs(part) * scale + whole) / (2 * whole);
    String digits = scaled / scale + "." + String.valueOf(scale + scaled % scale).substring(1);
    return part < 0 && scaled > 0 ? "-" + digits : digits;
  }

  private static String computed(Path file) throws IOException {
    TreeMap<String, Totals> totals = new TreeMap<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      assertThat(reader.readLine()).isEqualTo("date,delay,distance,origin,destination");
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        List<String> fields = List.of(line.split(","));
        String key = fields.get(3) + "\t" + fields.get(0).substring(0, 10);
        Totals day = totals.computeIfAbsent(key, k -> new Totals());
        long delay = Long.parseLong(fields.get(1));
        day.flights++;
        day.minutes += delay;
        day.delayed += delay >= 15 ? 1 : 0;
      }
    }
    StringBuilder lines = new StringBuilder();
    totals.forEach(
        (key, day) ->
            lines
                .append(key)
                .append('\t')
                .append(day.flights)
                .append('\t')
                .append(rounded(day.minutes, day.flights, 2))
                .append('\t')
                .append(rounded(day.delayed, day.flights, 4))
                .append('\n'));
    return lines.toString();
  }

  @Test
  void theOutputFileIsThatOfAPlainLoop() throws Exception {
    Path output = directory.resolve("flights.tsv");
    ExampleProcess.Result result =
        ExampleProcess.run(directory, Flights.class, BUNDLED.toString(), output.toString());
    assertThat(Files.readString(output)).isEqualTo(computed(BUNDLED));
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("113,493 records in all").endsWith("flights.tsv\n");
  }

  @Test
  void withoutAnOutputFileTheLinesArePrinted() throws Exception {
    ExampleProcess.Result result = ExampleProcess.run(directory, Flights.class, BUNDLED.toString());
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo(computed(BUNDLED));
  }

  @Test
  void anyOrderOfTheLinesGivesTheSame() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("flights.csv"),
            """
            origin,date,delay,distance,destination
            LAX,2001-01-02T23:59Z,15,100,SFO
            LAX,2001-01-01T00:00Z,14,100,SFO
            ABQ,2001-01-02T00:00Z,-4,100,SFO
            LAX,2001-01-02T00:00Z,-30,100,SFO
            LAX,2001-01-02T12:00:00Z,0,100,SFO
            """);
    ExampleProcess.Result result = ExampleProcess.run(directory, Flights.class, file.toString());
    assertThat(result.out())
        .isEqualTo(
            """
            ABQ\t2001-01-02\t1\t-4.00\t0.0000
            LAX\t2001-01-01\t1\t14.00\t0.0000
            LAX\t2001-01-02\t3\t-5.00\t0.3333
            """);
  }

  @Test
  void aLineThatIsNoFlightIsAClearError() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("flights.csv"),
            """
            date,delay,distance,origin,destination
            2001-01-01T00:01Z,33,2176,LAS,PHL
            2001-01-01T00:01Z,late,215,ATL,SAV
            """);
    ExampleProcess.Result result = ExampleProcess.run(directory, Flights.class, file.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("error: RECORD_MALFORMED: a record cannot be decoded: 'delay' is not an int")
        .contains("flights.csv, line 3, column 2");
  }

  @Test
  void aMissingFileIsAClearError() throws Exception {
    ExampleProcess.Result result = ExampleProcess.run(directory, Flights.class, "missing.csv");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("error: SOURCE_FAILED: there is no file or directory");
  }

  @Test
  void theTopologyOfNoArgumentsOrTooManyIsRefusedWithTheUsage() {
    for (String[] args : List.of(new String[0], new String[] {"a", "b"})) {
      assertThatThrownBy(() -> Flights.topology(args))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "expected 1 argument, got %d\nUsage: io.streamforge.examples.Flights INPUT"
                  .formatted(args.length));
    }
  }
}
