package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command as its users start it: exit code, stdout and stderr. */
class StreamForgeCommandTest {
  private static final String ECHO = Topologies.Echo.class.getName();
  private static final String NUMBERS = Topologies.Numbers.class.getName();
  private static final String ENDLESS = Topologies.Endless.class.getName();

  @Test
  void runHandsTheArgumentsOnAndPrintsWhatComesOut() throws Exception {
    Cli.Result result =
        Cli.run("run", "--quiet", ECHO, "a b", "", "ü", "--", "--parallelism", "-5");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("<a b>\n<>\n<ü>\n<--parallelism>\n<-5>\n");
    assertThat(result.code()).isZero();
  }

  @Test
  void runEndsWithASummaryOnStderr() throws Exception {
    Cli.Result result = Cli.run("run", "--parallelism", "2", NUMBERS, "40", "2");
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("sum=40\nsum=42\n");
    assertThat(result.err().replaceAll("in [0-9.]+ s", "in T s"))
        .isEqualTo(
            """
            node       in  out  late  dropped
            arguments   2    2     0        0
            parse       2    2     0        0
            one         2    2     0        0
            total       2    2     0        0
            output      2    0     0        0
            job 'numbers': 2 records read in T s
            """);
  }

  @Test
  void theSummaryAsJsonIsTheLastLineOfStdout() throws Exception {
    Cli.Result result = Cli.run("run", "--json", NUMBERS, "40");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines().toList()).hasSize(2);
    assertThat(result.out())
        .startsWith("sum=40\n{")
        .contains("\"job\":\"numbers\"")
        .endsWith("}\n");
  }

  @Test
  void aFailingJobEndsWithOneAndAnErrorThatNamesNodeAndRecord() throws Exception {
    Cli.Result result = Cli.run("run", "--quiet", "--parallelism", "1", NUMBERS, "40", "forty");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err().lines().map(line -> line.replaceAll("@[0-9]+", "@T")))
        .containsExactly(
            "error: FUNCTION_FAILED: a user function failed: NumberFormatException: For input"
                + " string: \"forty\"",
            "  Where: job 'numbers', node 'parse', task 0[0], at split 0, position 1, record"
                + " null=forty@T",
            "  Remedy: Mend the function, or filter such records out before this node.");
  }

  @Test
  void theStackTraceIsShownWhenItIsAskedFor() throws Exception {
    Cli.Result result = Cli.run("run", "--quiet", "--stacktrace", NUMBERS, "forty");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("Caused by: java.lang.NumberFormatException");
  }

  @Test
  void anInvalidTopologyIsWrongUsageAndAllItsProblemsAreListed() throws Exception {
    Cli.Result result = Cli.run("run", Topologies.Invalid.class.getName());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("error: TOPOLOGY_INVALID")
        .contains("'in put'", "'out put'");
  }

  @Test
  void settingsOutOfRangeAreWrongUsageAndAllOfThemAreListed() throws Exception {
    Cli.Result result = Cli.run("run", "--parallelism", "0", "--batch-size", "0", ECHO, "a");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("error: CONFIG_INVALID")
        .contains("parallelism")
        .contains("batchSize");
  }

  @Test
  void anUnknownClassIsWrongUsage() throws Exception {
    Cli.Result result = Cli.run("run", "no.such.Topology");
    assertThat(result)
        .isEqualTo(
            new Cli.Result(
                2,
                "",
                "error: there is no class 'no.such.Topology'; give its full name, and --class-path"
                    + " where it is\n"));
  }

  @Test
  void aClassWithoutTheMethodIsWrongUsage() throws Exception {
    for (Class<?> type : List.of(Topologies.Nothing.class, Topologies.NotStatic.class)) {
      assertThat(Cli.run("run", type.getName()))
          .isEqualTo(
              new Cli.Result(
                  2,
                  "",
                  "error: class '"
                      + type.getName()
                      + "' has no 'public static Topology topology(String[] args)'\n"));
    }
  }

  @Test
  void aMethodThatReturnsNullOrThrowsIsWrongUsage() throws Exception {
    assertThat(Cli.run("run", Topologies.Null.class.getName()).err())
        .endsWith(".topology returned null instead of a topology\n");
    Cli.Result result = Cli.run("run", Topologies.Throwing.class.getName(), "a", "b");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            "error: "
                + Topologies.Throwing.class.getName()
                + ".topology: java.lang.IllegalStateException: no 2 arguments\n");
  }

  @Test
  void aMethodThatRefusesItsArgumentsIsWrongUsageInItsOwnWords() throws Exception {
    String particular = Topologies.Particular.class.getName();
    for (String command : List.of("run", "explain")) {
      assertThat(Cli.run(command, particular))
          .isEqualTo(
              new Cli.Result(2, "", "error: expected 1 argument, got 0\nUsage: Particular WORD\n"));
    }
    assertThat(Cli.run("run", particular, "one"))
        .isEqualTo(
            new Cli.Result(
                2,
                "",
                "error: "
                    + particular
                    + ".topology: java.lang.NumberFormatException: For input string: \"one\"\n"));
  }

  @Test
  void aWrongOptionIsWrongUsage() throws Exception {
    Cli.Result result = Cli.run("run", "--paralelism", "2", ECHO);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).startsWith("Unknown option: '--paralelism'");
    assertThat(Cli.run("run").code()).isEqualTo(2);
    assertThat(Cli.run("run", "--log-level", "loud", ECHO).err())
        .isEqualTo("error: --log-level is 'loud', expected error, warn, info, debug or trace\n");
  }

  @Test
  void withoutACommandThereIsHelpAndWrongUsage() throws Exception {
    Cli.Result result = Cli.run();
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("Missing command")
        .contains("Usage: streamforge", "explain");
  }

  @Test
  void explainShowsThePlanAsText() throws Exception {
    Cli.Result result = Cli.run("explain", "--parallelism", "2", ECHO, "a");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(Topologies.Echo.topology(new String[] {"a"}).explain(2).text().strip() + "\n");
  }

  @Test
  void explainShowsThePlanAsJsonAndMermaid() throws Exception {
    assertThat(Cli.run("explain", "--format", "json", ECHO, "a").out())
        .startsWith("{")
        .contains("\"quote\"")
        .endsWith("}\n");
    assertThat(Cli.run("explain", "--format", "mermaid", ECHO, "a").out())
        .startsWith("flowchart")
        .contains("quote");
    Cli.Result wrong = Cli.run("explain", "--format", "dot", ECHO);
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("'dot'", "text, json, mermaid");
  }

  @Test
  void explainRefusesAParallelismBelowOne() throws Exception {
    assertThat(Cli.run("explain", "--parallelism", "0", ECHO))
        .isEqualTo(new Cli.Result(2, "", "error: --parallelism must be at least 1: 0\n"));
  }

  @Test
  void versionNamesBothVersions() throws Exception {
    for (String argument : List.of("version", "--version")) {
      Cli.Result result = Cli.run(argument);
      assertThat(result.code()).isZero();
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .matches("streamforge .+\njava " + Runtime.version().feature() + ".*\n");
    }
  }

  @Test
  void completionIsAScriptThatBashTakes(@TempDir Path directory) throws Exception {
    Cli.Result result = Cli.run("completion");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("--parallelism", "explain");
    Path script = Files.writeString(directory.resolve("completion.sh"), result.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();
    assertThat(Cli.await(bash, Cli.read(bash.getInputStream())))
        .isEqualTo(new Cli.Result(0, "", ""));
  }

  @Test
  void helpOfEveryCommandEndsWithZero() throws Exception {
    assertThat(Cli.run("--help").out()).startsWith("Usage: streamforge ");
    for (String command : List.of("run", "explain", "version", "completion")) {
      Cli.Result result = Cli.run("help", command);
      assertThat(result.code()).as(command).isZero();
      assertThat(result.out()).startsWith("Usage: streamforge " + command);
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aReaderThatHasSeenEnoughEndsTheJobQuietly() throws Exception {
    Process process = Cli.start("run", "--quiet", ENDLESS);
    try (BufferedReader out = reader(process)) {
      assertThat(out.readLine()).isEqualTo("line 0");
    }
    assertThat(Cli.await(process, CompletableFuture.completedFuture("")))
        .isEqualTo(new Cli.Result(0, "", ""));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aSignalStopsTheJobInOrder(@TempDir Path directory) throws Exception {
    Process process = Cli.start("run", ENDLESS, directory.resolve("out").toString());
    BufferedReader out = reader(process);
    assertThat(out.readLine()).isEqualTo("line 0");
    // Unlike Process.destroy this leaves the streams open.
    process.toHandle().destroy();
    Cli.Result result =
        Cli.await(
            process, CompletableFuture.supplyAsync(() -> String.join("\n", out.lines().toList())));
    assertThat(result.code()).isEqualTo(143);
    assertThat(result.err()).contains("job 'endless': ").doesNotContain("error", "Exception");
    List<Path> files;
    try (Stream<Path> found = Files.list(directory.resolve("out"))) {
      files = found.sorted().toList();
    }
    assertThat(files).hasSize(1);
    List<String> lines = Files.readAllLines(files.get(0));
    assertThat(files.get(0).getFileName().toString()).isEqualTo("part-0-0.txt");
    assertThat(lines).isNotEmpty();
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).isEqualTo("line " + i);
    }
    assertThat(Files.readString(files.get(0))).endsWith("\n");
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void aJarNamesItsTopologyInItsManifest(@TempDir Path directory) throws Exception {
    Path jar = jar(directory, "StreamForge-Topology");
    assertThat(Cli.run("run", "--quiet", jar.toString(), "a"))
        .isEqualTo(new Cli.Result(0, "[a]\n", ""));
    assertThat(Cli.run("run", "--quiet", "-cp", jar.toString(), "demo.Jarred", "b"))
        .isEqualTo(new Cli.Result(0, "[b]\n", ""));
    assertThat(
            Cli.run("run", "--quiet", "-cp", directory.resolve("*").toString(), "demo.Jarred", "c"))
        .isEqualTo(new Cli.Result(0, "[c]\n", ""));
  }

  @Test
  void aJarMayNameItAsItsMainClass(@TempDir Path directory) throws Exception {
    Path jar = jar(directory, "Main-Class");
    assertThat(Cli.run("run", "--quiet", jar.toString(), "a"))
        .isEqualTo(new Cli.Result(0, "[a]\n", ""));
  }

  @Test
  void aJarThatNamesNothingAndOneThatIsNotThereAreWrongUsage(@TempDir Path directory)
      throws Exception {
    Path jar = jar(directory, "Other");
    Cli.Result result = Cli.run("run", jar.toString());
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            "error: the manifest of '"
                + jar
                + "' names no class; add the attribute StreamForge-Topology with the class that has"
                + " 'public static Topology topology(String[] args)'\n");
    assertThat(Cli.run("run", "missing.jar"))
        .isEqualTo(new Cli.Result(2, "", "error: there is no readable jar 'missing.jar'\n"));
    assertThat(Cli.run("run", "-cp", "missing", ECHO))
        .isEqualTo(new Cli.Result(2, "", "error: the class path entry 'missing' does not exist\n"));
  }

  /** A jar with a class that is nowhere else. */
  private static Path jar(Path directory, String attribute) throws IOException {
    Path sources = Files.createDirectories(directory.resolve("src/demo"));
    Path source =
        Files.writeString(
            sources.resolve("Jarred.java"),
            """
            package demo;

            import io.streamforge.Topology;
            import io.streamforge.connector.Sinks;
            import io.streamforge.connector.Sources;
            import java.util.List;

            public final class Jarred {
              record Item(String text) {}

              public static Topology topology(String[] args) {
                return Topology.builder("jarred")
                    .source("arguments", Sources.values(List.of(args)))
                    .mapValues("item", argument -> new Item(argument))
                    .groupBy("by-item", (key, item) -> item)
                    .count("count")
                    .map("show", (item, count) ->
                        io.streamforge.record.KeyValue.of((Void) null, "[" + item.text() + "]"))
                    .sink("output", Sinks.stdout())
                    .build();
              }
            }
            """);
    Path classes = Files.createDirectories(directory.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int status =
        compiler.run(
            null,
            null,
            null,
            "-proc:none",
            "-d",
            classes.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            source.toString());
    assertThat(status).isZero();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue(attribute, "demo.Jarred");
    Path jar = directory.resolve("job.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        Stream<Path> compiled = Files.list(classes.resolve("demo"))) {
      for (Path path : compiled.toList()) {
        out.putNextEntry(new JarEntry("demo/" + path.getFileName()));
        Files.copy(path, out);
      }
    }
    return jar;
  }
}
