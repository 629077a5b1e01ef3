package io.streamforge.node.cli;

import io.streamforge.backend.EntrySchema;
import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.node.state.CheckpointAddress;
import io.streamforge.node.state.StoredCheckpoints;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code streamforge state ls}. */
@Command(
    name = "ls",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the checkpoints that are there, oldest first; of DIR@17 what checkpoint 17 holds.",
      "New are the bytes that were written for a checkpoint, full those that it consists of."
    })
final class StateLsCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "DIR[@N]", description = StateOptions.DIR)
  private String address = "";

  @Mixin private StateOptions options = new StateOptions();

  @Option(names = "--json", description = "As one JSON object.")
  private boolean json;

  @ParentCommand private StateCommand state = new StateCommand();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    CheckpointAddress parsed = CheckpointAddress.parse(address);
    PrintWriter out = spec.commandLine().getOut();
    try (StoredCheckpoints stored = options.open(parsed)) {
      Long number = parsed.number();
      if (number == null) {
        List<CheckpointHistory.Skipped> unusable = stored.history().unusable();
        out.print(json ? json(stored, unusable) + System.lineSeparator() : table(stored, unusable));
      } else {
        LogEntry.Published checkpoint = StateOptions.numbered(stored, number);
        out.print(
            json
                ? JsonMapper.shared().writeValueAsString(content(checkpoint))
                    + System.lineSeparator()
                : contentTable(checkpoint));
      }
      out.flush();
    }
    return 0;
  }

  private Duration age(LogEntry.Published checkpoint) {
    long millis = state.clock().wallMillis() - checkpoint.createdMillis();
    return Duration.ofMillis(Math.max(0, millis));
  }

  private String table(StoredCheckpoints stored, List<CheckpointHistory.Skipped> unusable) {
    List<LogEntry.Published> all = stored.all();
    StringBuilder text = new StringBuilder();
    if (!all.isEmpty()) {
      Table table = new Table("rrrrl", "checkpoint", "age", "new", "full", "nodes");
      for (LogEntry.Published checkpoint : all) {
        table.row(
            String.valueOf(checkpoint.number()),
            Units.age(age(checkpoint)),
            Units.size(checkpoint.newBytes()),
            Units.size(checkpoint.fullBytes()),
            String.join(", ", nodes(checkpoint)));
      }
      text.append(table);
    }
    text.append(
        String.format(
            "job '%s' in %s: %s%n",
            stored.job(),
            stored.location(),
            all.isEmpty()
                ? "no checkpoint yet"
                : Units.count(all.size(), "checkpoint", "checkpoints")));
    for (CheckpointHistory.Skipped skipped : unusable) {
      text.append(
          String.format("%s cannot be used: %s%n", named(stored, skipped), skipped.reason()));
    }
    return text.toString();
  }

  private static String named(StoredCheckpoints stored, CheckpointHistory.Skipped skipped) {
    for (LogEntry.Published checkpoint : stored.all()) {
      if (checkpoint.position() == skipped.position()) {
        return "checkpoint " + checkpoint.number();
      }
    }
    return "entry " + skipped.position() + " of the log";
  }

  private static List<String> nodes(LogEntry.Published checkpoint) {
    return checkpoint.manifest().nodes().stream().map(Manifest.NodePart::node).toList();
  }

  private String json(StoredCheckpoints stored, List<CheckpointHistory.Skipped> unusable) {
    List<Map<String, Object>> checkpoints = new ArrayList<>();
    for (LogEntry.Published checkpoint : stored.all()) {
      Map<String, Object> line = summary(checkpoint);
      line.put("nodes", nodes(checkpoint));
      checkpoints.add(line);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("job", stored.job());
    all.put("location", stored.location());
    all.put("checkpoints", checkpoints);
    all.put("unusable", unusable);
    return JsonMapper.shared().writeValueAsString(all);
  }

  private Map<String, Object> summary(LogEntry.Published checkpoint) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("number", checkpoint.number());
    line.put("position", checkpoint.position());
    line.put("createdMillis", checkpoint.createdMillis());
    line.put("ageMillis", age(checkpoint).toMillis());
    line.put("newBytes", checkpoint.newBytes());
    line.put("fullBytes", checkpoint.fullBytes());
    line.put("keyGroups", checkpoint.manifest().groups());
    return line;
  }

  /** A state with all its slices. */
  private record StateSummary(String state, int slices, long bytes, String form, String schema) {}

  private static List<StateSummary> states(Manifest.NodePart node) {
    Map<String, List<Manifest.StatePart>> byName =
        node.states().stream()
            .collect(
                Collectors.groupingBy(
                    Manifest.StatePart::state, LinkedHashMap::new, Collectors.toList()));
    List<StateSummary> summaries = new ArrayList<>();
    byName.forEach(
        (name, parts) -> {
          Manifest.StatePart first = parts.get(0);
          summaries.add(
              new StateSummary(
                  name,
                  (int) parts.stream().filter(part -> part.slice() != null).count(),
                  parts.stream()
                      .flatMap(part -> part.chains().stream())
                      .flatMap(chain -> chain.pieces().stream())
                      .mapToLong(piece -> piece.segment().length())
                      .sum(),
                  first.form(),
                  EntrySchema.read(first.schema().bytes()).toString()));
        });
    return summaries;
  }

  private static int committables(Manifest.NodePart node) {
    return node.writers().stream().mapToInt(writer -> writer.committables().size()).sum();
  }

  private static String contentTable(LogEntry.Published checkpoint) {
    Table table = new Table("llrrl", "node", "state", "slices", "size", "entries");
    for (Manifest.NodePart node : checkpoint.manifest().nodes()) {
      if (!node.splits().isEmpty()) {
        table.row(node.node(), "", "", "", Units.count(node.splits().size(), "split", "splits"));
      }
      for (StateSummary state : states(node)) {
        table.row(
            node.node(),
            state.state,
            state.slices == 0 ? "" : String.valueOf(state.slices),
            Units.size(state.bytes),
            state.schema);
      }
      if (!node.writers().isEmpty()) {
        table.row(
            node.node(),
            "",
            "",
            "",
            Units.count(node.writers().size(), "writer", "writers")
                + ", "
                + Units.count(committables(node), "committable", "committables"));
      }
    }
    return table.toString();
  }

  private Map<String, Object> content(LogEntry.Published checkpoint) {
    List<Map<String, Object>> nodes = new ArrayList<>();
    for (Manifest.NodePart node : checkpoint.manifest().nodes()) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("node", node.node());
      line.put("states", states(node));
      line.put("splits", node.splits().size());
      line.put("writers", node.writers().size());
      line.put("committables", committables(node));
      nodes.add(line);
    }
    Map<String, Object> all = summary(checkpoint);
    all.put("nodes", nodes);
    return all;
  }
}
