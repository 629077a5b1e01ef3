package io.streamforge.examples;

import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.formats.csv.Csv;
import io.streamforge.function.Aggregates;
import io.streamforge.sink.Sink;
import io.streamforge.time.Punctuator;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

/**
 * Punctuality of flights by origin airport and UTC day.
 *
 * <p>Arguments: {@code INPUT [OUTPUT]}, where the input is a CSV file, possibly compressed with
 * gzip, with the columns date, delay, distance, origin and destination. Each output line is {@code
 * origin<TAB>day<TAB>flights<TAB>mean delay<TAB>share delayed}, sorted by origin and day; a flight
 * is delayed from 15 minutes on.
 */
public final class Flights {
  private static final int DELAYED_MINUTES = 15;
  private static final int MEAN_DECIMALS = 2;
  private static final int SHARE_DECIMALS = 4;

  private Flights() {}

  // tag::types[]
  /** A line of the file. */
  public record Flight(String date, int delay, int distance, String origin, String destination) {
    long timestampMillis() {
      return OffsetDateTime.parse(date).toInstant().toEpochMilli();
    }
  }

  /** Totals of an airport and a day. */
  public record Punctuality(long flights, long delayMinutes, long delayed) {
    BigDecimal meanDelay() {
      return ratio(delayMinutes, MEAN_DECIMALS);
    }

    BigDecimal shareDelayed() {
      return ratio(delayed, SHARE_DECIMALS);
    }

    private BigDecimal ratio(long part, int decimals) {
      return BigDecimal.valueOf(part)
          .divide(BigDecimal.valueOf(flights), decimals, RoundingMode.HALF_UP);
    }
  }

  // end::types[]

  /** For {@code streamforge run io.streamforge.examples.Flights INPUT}: lines to stdout. */
  public static Topology topology(String[] args) {
    return topology(
        ExampleRun.onlyArgument("io.streamforge.examples.Flights INPUT", args),
        Sinks.stdout(result -> line(result.key(), result.value())));
  }

  // tag::topology[]
  static Topology topology(Path input, Sink<String, Windowed<Punctuality>> output) {
    return Topology.builder("flights")
        .source(
            "flights",
            Csv.source(input, Flight.class),
            // An archive in any order: only its end says that a day is complete.
            WatermarkStrategy.<Void, Flight>punctuated((key, flight, time) -> Punctuator.NONE)
                .timestamps((key, flight, time) -> flight.timestampMillis()))
        .groupBy("origin", (key, flight) -> flight.origin())
        .window(Windows.days(ZoneOffset.UTC))
        .aggregate(
            "punctuality",
            Aggregates.three(
                Aggregates.<Flight>count(),
                Aggregates.<Flight>sum(flight -> flight.delay()),
                Aggregates.<Flight>sum(flight -> flight.delay() >= DELAYED_MINUTES ? 1 : 0),
                Punctuality::new))
        .sink("output", output)
        .build();
  }

  // end::topology[]

  private static String line(String origin, Windowed<Punctuality> result) {
    LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(result.startMillis()), ZoneOffset.UTC);
    Punctuality totals = Objects.requireNonNull(result.value(), "not a retraction");
    return String.join(
        "\t",
        origin,
        day.toString(),
        String.valueOf(totals.flights()),
        totals.meanDelay().toPlainString(),
        totals.shareDelayed().toPlainString());
  }

  /** Runs the example. */
  public static void main(String[] args) {
    ExampleRun.main(
        "flights INPUT [OUTPUT]",
        args,
        run -> {
          CollectingSink<String, Windowed<Punctuality>> results = Sinks.collect();
          run.to("flights", topology(run.input(), results));
          List<String> lines =
              results.records().stream().map(r -> line(r.key(), r.value())).sorted().toList();
          if (run.output() == null) {
            lines.forEach(System.out::println);
          } else {
            run.write(lines);
          }
        });
  }
}
