package io.streamforge.node.cli;

import io.streamforge.checkpoint.LogEntry;
import io.streamforge.node.state.CheckpointAddress;
import io.streamforge.node.state.CheckpointDiff;
import io.streamforge.node.state.StoredCheckpoints;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code streamforge state diff}. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how many keys of each state were added, removed and changed from one checkpoint to"
          + " another, which may be of another place or job.",
      "Without a number the newest checkpoint that can be used is meant."
    })
final class StateDiffCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "DIR[@N]", description = StateOptions.DIR)
  private String from = "";

  @Parameters(index = "1", paramLabel = "DIR[@N]", description = "The other one.")
  private String to = "";

  @Mixin private StateOptions options = new StateOptions();

  @Option(names = "--keys", description = "A line of JSON for each key that is different.")
  private boolean keys;

  @Option(names = "--json", description = "As one JSON object.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    if (keys && json) {
      throw new UsageException("--keys is JSON already, a line each: leave --json out");
    }
    PrintWriter out = spec.commandLine().getOut();
    CheckpointAddress first = CheckpointAddress.parse(from);
    CheckpointAddress second = CheckpointAddress.parse(to);
    try (StoredCheckpoints before = options.open(first);
        StoredCheckpoints after = options.open(second)) {
      CheckpointDiff.Side left = side(before, first);
      CheckpointDiff.Side right = side(after, second);
      JsonLines lines = new JsonLines(out);
      List<CheckpointDiff.Count> counts =
          CheckpointDiff.run(left, right, keys ? lines::write : line -> true);
      if (json) {
        lines.write(JsonMapper.shared().valueToTree(json(left, right, counts)));
      } else if (!keys) {
        out.print(table(left, right, counts));
      }
      out.flush();
    }
    return 0;
  }

  private CheckpointDiff.Side side(StoredCheckpoints stored, CheckpointAddress address)
      throws Exception {
    LogEntry.Published checkpoint =
        StateOptions.choose(stored, address, spec.commandLine().getErr());
    return new CheckpointDiff.Side(stored, checkpoint);
  }

  private static String table(
      CheckpointDiff.Side left, CheckpointDiff.Side right, List<CheckpointDiff.Count> counts) {
    Table table = new Table("llrrr", "node", "state", "added", "removed", "changed");
    for (CheckpointDiff.Count count : counts) {
      table.row(
          count.node(),
          count.state(),
          Units.number(count.added()),
          Units.number(count.removed()),
          Units.number(count.changed()));
    }
    return (counts.isEmpty() ? "no difference" + System.lineSeparator() : table.toString())
        + String.format("from %s%n  to %s%n", named(left), named(right));
  }

  private static String named(CheckpointDiff.Side side) {
    return "checkpoint "
        + side.checkpoint().number()
        + " of job '"
        + side.stored().job()
        + "' in "
        + side.stored().location();
  }

  private static Map<String, Object> json(
      CheckpointDiff.Side left, CheckpointDiff.Side right, List<CheckpointDiff.Count> counts) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("from", json(left));
    all.put("to", json(right));
    all.put("states", counts);
    return all;
  }

  private static Map<String, Object> json(CheckpointDiff.Side side) {
    Map<String, Object> place = new LinkedHashMap<>();
    place.put("job", side.stored().job());
    place.put("location", side.stored().location());
    place.put("number", side.checkpoint().number());
    return place;
  }
}
