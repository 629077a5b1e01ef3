package io.streamforge.node.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code streamforge version}. */
@Command(name = "version", description = "Shows the versions of StreamForge and of the JVM.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    for (String line : new Versions().getVersion()) {
      spec.commandLine().getOut().println(line);
    }
  }
}
