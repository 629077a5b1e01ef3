package io.streamforge.bench;

import io.streamforge.bench.workload.Workload;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Rows in the order of the workloads, kept as {@code bench.json}. */
final class Results {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> ORDER = Workload.ALL.stream().map(Workload::id).toList();
  private static final List<String> ENGINES = List.of("streamforge", "flink", "jet", "hand");

  private final List<Row> rows;

  Results(List<Row> rows) {
    this.rows =
        rows.stream()
            .sorted(
                Comparator.comparing((Row row) -> ORDER.indexOf(row.workload()))
                    .thenComparing(Row::parallelism)
                    .thenComparing(row -> ENGINES.indexOf(row.engine())))
            .toList();
  }

  List<Row> rows() {
    return rows;
  }

  /** The row of a workload on an engine. */
  Optional<Row> find(String workload, String engine, int parallelism) {
    return rows.stream()
        .filter(
            row ->
                row.workload().equals(workload)
                    && row.engine().equals(engine)
                    && row.parallelism() == parallelism)
        .findFirst();
  }

  /** What was kept before; nothing when there is no such file. */
  static Results read(Path file) {
    List<Row> rows = new ArrayList<>();
    if (Files.exists(file)) {
      for (JsonNode node : JSON.readTree(file.toFile())) {
        rows.add(read(node));
      }
    }
    return new Results(rows);
  }

  private static Row read(JsonNode node) {
    List<Double> runs = new ArrayList<>();
    node.get("runs").forEach(run -> runs.add(run.asDouble()));
    Map<String, Double> further = new LinkedHashMap<>();
    node.properties()
        .forEach(
            field -> {
              if (field.getValue().isNumber() && !NAMED.contains(field.getKey())) {
                further.put(field.getKey(), field.getValue().asDouble());
              }
            });
    return new Row(
        node.get("workload").asString(),
        node.get("engine").asString(),
        node.get("parallelism").asInt(),
        node.get("checksum").asString(),
        runs,
        further);
  }

  private static final Set<String> NAMED = Set.of("parallelism", Row.RECORDS_PER_SECOND);

  /** These, and the others for the workloads that are not to be replaced. */
  Results replacing(Set<String> workloads, Results others) {
    List<Row> all = new ArrayList<>(rows);
    others.rows.stream()
        .filter(row -> !workloads.contains(row.workload()) && ORDER.contains(row.workload()))
        .forEach(all::add);
    return new Results(all);
  }

  /** Writes the file, a row a line. */
  void write(Path file) throws IOException {
    List<String> lines = rows.stream().map(row -> JSON.writeValueAsString(fields(row))).toList();
    Files.writeString(file, "[\n  " + String.join(",\n  ", lines) + "\n]\n");
  }

  private static Map<String, Object> fields(Row row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", row.workload());
    fields.put("engine", row.engine());
    fields.put("parallelism", row.parallelism());
    fields.put(Row.RECORDS_PER_SECOND, Math.round(row.recordsPerSecond()));
    fields.put("checksum", row.checksum());
    fields.put("runs", row.runs().stream().map(Math::round).toList());
    row.further().forEach((name, value) -> fields.put(name, rounded(value)));
    return fields;
  }

  /** Six decimals at most, and no exponent. */
  private static BigDecimal rounded(double value) {
    BigDecimal number = BigDecimal.valueOf(Math.round(value * 1e6), 6).stripTrailingZeros();
    return number.scale() < 0 ? number.setScale(0) : number;
  }

  /** Rows of a workload and parallelism by engine. */
  Map<String, Row> engines(String workload, int parallelism) {
    Map<String, Row> engines = new HashMap<>();
    ENGINES.forEach(
        engine -> find(workload, engine, parallelism).ifPresent(row -> engines.put(engine, row)));
    return engines;
  }
}
