package io.streamforge.node.cli;

import io.streamforge.plan.Explain;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code streamforge explain}. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Shows how a topology would be run, without running it.")
final class ExplainCommand implements java.util.concurrent.Callable<Integer> {
  /** How the plan is shown. */
  enum Format {
    text,
    json,
    mermaid
  }

  @Mixin private TopologyArguments topology = new TopologyArguments();

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
      defaultValue = "text")
  private Format format = Format.text;

  @Option(names = "--parallelism", description = "Tasks of each stage; default: left open.")
  private int parallelism;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws UsageException {
    Explain explain =
        parallelism > 0 ? topology.load().explain(parallelism) : topology.load().explain();
    String shown =
        switch (format) {
          case text -> explain.text();
          case json -> explain.json();
          case mermaid -> explain.mermaid();
        };
    spec.commandLine().getOut().println(shown.stripTrailing());
    return 0;
  }
}
