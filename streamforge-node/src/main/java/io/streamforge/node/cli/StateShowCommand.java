package io.streamforge.node.cli;

import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.node.state.CheckpointAddress;
import io.streamforge.node.state.KeyMatcher;
import io.streamforge.node.state.NodeLines;
import io.streamforge.node.state.StoredCheckpoints;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code streamforge state show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what a node has in a checkpoint, by default the newest that can be used: a line of"
          + " JSON for each entry of its state, timer, split and writer.",
      "Entries are in no particular order."
    })
final class StateShowCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "DIR[@N]", description = StateOptions.DIR)
  private String address = "";

  @Parameters(index = "1", paramLabel = "NODE", description = "Name of the node.")
  private String nodeName = "";

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "KEY",
      description =
          "Only entries and timers of this key, as it is shown; a text with or without quotes.")
  private @Nullable String key;

  @Option(
      names = "--checkpoint",
      paramLabel = "N",
      description = "Number of the checkpoint, as in DIR@N.")
  private @Nullable Long number;

  @Mixin private StateOptions options = new StateOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    CheckpointAddress parsed = CheckpointAddress.parse(address);
    if (number != null && parsed.number() != null && !number.equals(parsed.number())) {
      throw new UsageException("two checkpoints are named: " + parsed.number() + " and " + number);
    }
    CheckpointAddress chosen =
        number == null ? parsed : new CheckpointAddress(parsed.location(), number);
    JsonLines lines = new JsonLines(spec.commandLine().getOut());
    try (StoredCheckpoints stored = options.open(chosen)) {
      LogEntry.Published checkpoint =
          StateOptions.choose(stored, chosen, spec.commandLine().getErr());
      Manifest.NodePart node = node(checkpoint, stored);
      new NodeLines(stored, checkpoint)
          .write(node, key == null ? null : new KeyMatcher(key), lines::write);
      lines.flush();
      if (key != null && lines.count() == 0) {
        throw new UsageException(
            "node '"
                + nodeName
                + "' has no key "
                + key
                + " in checkpoint "
                + checkpoint.number()
                + " in "
                + stored.location()
                + "; without a key all are shown, each as it is to be written");
      }
    }
    return 0;
  }

  private Manifest.NodePart node(LogEntry.Published checkpoint, StoredCheckpoints stored)
      throws UsageException {
    List<Manifest.NodePart> nodes = checkpoint.manifest().nodes();
    for (Manifest.NodePart node : nodes) {
      if (node.node().equals(nodeName)) {
        return node;
      }
    }
    throw new UsageException(
        "there is no node '"
            + nodeName
            + "' in checkpoint "
            + checkpoint.number()
            + " in "
            + stored.location()
            + "; it has "
            + (nodes.isEmpty()
                ? "none"
                : String.join(", ", nodes.stream().map(Manifest.NodePart::node).toList())));
  }
}
