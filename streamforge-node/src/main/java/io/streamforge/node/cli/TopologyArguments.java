package io.streamforge.node.cli;

import io.streamforge.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which topology a command is about. */
final class TopologyArguments {
  @Parameters(
      index = "0",
      paramLabel = "CLASS|JAR",
      description =
          "A class with 'public static Topology topology(String[] args)', or a jar whose manifest"
              + " names one as StreamForge-Topology (or Main-Class).")
  private String target = "";

  @Parameters(
      index = "1..*",
      paramLabel = "ARGS",
      description = "Handed to the topology method; behind '--' also what begins with a hyphen.")
  private List<String> arguments = new ArrayList<>();

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      split = "[:;]",
      description = "Jars and directories in which classes are looked up.")
  private List<Path> classPath = new ArrayList<>();

  Topology load() throws UsageException {
    return TopologyLoader.load(target, classPath, arguments);
  }
}
