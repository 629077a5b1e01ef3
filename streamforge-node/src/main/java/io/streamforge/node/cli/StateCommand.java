package io.streamforge.node.cli;

import io.streamforge.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code streamforge state}. */
@Command(
    name = "state",
    mixinStandardHelpOptions = true,
    description = {
      "Looks into checkpoints and savepoints, of a job that runs or not.",
      "Reads storage alone, without the job's classes, and changes nothing."
    },
    subcommands = {
      StateLsCommand.class,
      StateVerifyCommand.class,
      StateShowCommand.class,
      StateDiffCommand.class,
    })
final class StateCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @ParentCommand private StreamForgeCommand root = new StreamForgeCommand();

  Clock clock() {
    return root.clock();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: " + String.join(", ", spec.subcommands().keySet()));
  }
}
