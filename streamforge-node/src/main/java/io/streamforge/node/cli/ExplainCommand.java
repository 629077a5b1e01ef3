package io.streamforge.node.cli;

import io.streamforge.Topology;
import io.streamforge.plan.Explain;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
final class ExplainCommand implements Callable<Integer> {
  /** How the plan is shown. */
  enum Format {
    text,
    json,
    mermaid
  }

  @Mixin private TopologyArguments topology = new TopologyArguments();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
      defaultValue = "text")
  private Format format = Format.text;

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Tasks of each stage; default: left open.")
  private @Nullable Integer parallelism;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws UsageException {
    if (parallelism != null && parallelism < 1) {
      throw new UsageException("--parallelism must be at least 1: " + parallelism);
    }
    Topology loaded = topology.load();
    Explain explain = parallelism == null ? loaded.explain() : loaded.explain(parallelism);
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
