package io.streamforge.node.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code streamforge completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a completion script for bash and zsh.",
      "To use it: source <(streamforge completion)"
    })
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().getOut().print(AutoComplete.bash("streamforge", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
  }
}
