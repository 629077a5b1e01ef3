package io.streamforge.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Maven project outside the repository, made from what the README says and nothing else, compiles
 * against the packaged artifacts and runs.
 *
 * <p>It sees a local repository of its own: links to what this build has already loaded, and the
 * artifacts as {@code make install} puts them. So nothing is installed, and nothing is loaded.
 */
class DependentProjectIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final long TIMEOUT_SECONDS = 240;

  /** Both processes end before what the second compiler takes its time for would pay. */
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

  @TempDir Path directory;
  private Path repository;

  @BeforeEach
  void fillRepository() throws IOException {
    String property = System.getProperty("localRepository");
    assertThat(property).as("the local repository that Maven names to its tests").isNotNull();
    Path existing = Path.of(property);
    repository = Files.createDirectories(directory.resolve("repository"));
    link(existing, repository, "io");
    link(existing.resolve("io"), repository.resolve("io"), "streamforge");
    install("parent", ROOT);
    for (String module : List.of("bom", "core", "formats")) {
      install(module, ROOT.resolve("streamforge-" + module));
    }
  }

  /** Before the directory is deleted, so that nothing can follow the links. */
  @AfterEach
  void removeLinks() throws IOException {
    try (Stream<Path> entries = Files.walk(repository, 2)) {
      for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  private static void link(Path from, Path to, String except) throws IOException {
    Files.createDirectories(to);
    if (Files.isDirectory(from)) {
      try (Stream<Path> entries = Files.list(from)) {
        for (Path entry : entries.toList()) {
          String name = entry.getFileName().toString();
          if (!name.equals(except)) {
            Files.createSymbolicLink(to.resolve(name), entry);
          }
        }
      }
    }
  }

  private void install(String module, Path from) throws IOException {
    String artifact = "streamforge-" + module;
    String file = artifact + "-" + version();
    Path to =
        Files.createDirectories(
            repository.resolve("io/streamforge").resolve(artifact).resolve(version()));
    Files.copy(from.resolve("pom.xml"), to.resolve(file + ".pom"));
    Path jar = from.resolve("target").resolve(file + ".jar");
    if (Files.isRegularFile(jar)) {
      Files.copy(jar, to.resolve(file + ".jar"));
    }
  }

  @Test
  void theReadmesExampleRunsInAProjectThatHasTheReadmesDependency() throws Exception {
    Path project = Files.createDirectories(directory.resolve("project"));
    Files.writeString(project.resolve("pom.xml"), pom());
    Path sources = Files.createDirectories(project.resolve("src/main/java/com/example"));
    Files.writeString(sources.resolve("Main.java"), main());
    Path text = Files.writeString(project.resolve("words.txt"), "the fox and a dog and the cat\n");

    String built =
        run(
            project,
            ROOT.resolve("scripts/maven").toString(),
            "-q",
            "-o",
            "-Dmaven.repo.local=" + repository,
            // Whichever remote repository the build has used is none of this project's business.
            "-Daether.enhancedLocalRepository.trackingFilename=unused",
            "compile");
    assertThat(built).isEmpty();
    assertThat(libraries(project)).anyMatch(name -> name.startsWith("streamforge-formats-"));

    String printed =
        run(
            project,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            SHORT_LIVED,
            "-cp",
            "target/classes:target/lib/*",
            "com.example.Main",
            text.toString());
    assertThat(printed.lines().filter(line -> !line.startsWith("SLF4J")))
        .containsExactlyInAnyOrder("fox=1", "and=1", "dog=1", "and=2", "cat=1");
  }

  /** With the README's dependency, and another whose version comes from the BOM. */
  private static String pom() throws IOException {
    return """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>com.example</groupId>
          <artifactId>dependent</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>17</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencyManagement>
            <dependencies>
              <dependency>
                <groupId>io.streamforge</groupId>
                <artifactId>streamforge-bom</artifactId>
                <version>%s</version>
                <type>pom</type>
                <scope>import</scope>
              </dependency>
            </dependencies>
          </dependencyManagement>
          <dependencies>
        %s
            <dependency>
              <groupId>io.streamforge</groupId>
              <artifactId>streamforge-formats</artifactId>
            </dependency>
          </dependencies>
          <build>
            <plugins>
              %s
              %s
              <plugin>
                <artifactId>maven-dependency-plugin</artifactId>
                <version>%s</version>
                <executions>
                  <execution>
                    <phase>compile</phase>
                    <goals>
                      <goal>copy-dependencies</goal>
                    </goals>
                    <configuration>
                      <outputDirectory>${project.build.directory}/lib</outputDirectory>
                    </configuration>
                  </execution>
                </executions>
              </plugin>
            </plugins>
          </build>
        </project>
        """
        .formatted(
            version(),
            readme("```xml\n(<dependency>.*?)```"),
            plugin("maven-resources-plugin"),
            plugin("maven-compiler-plugin"),
            pluginVersion("maven-dependency-plugin"));
  }

  private static String main() throws IOException {
    return """
        package com.example;

        import io.streamforge.Topology;
        import io.streamforge.config.EngineConfig;
        import io.streamforge.connector.Sinks;
        import io.streamforge.connector.file.FileSource;
        import io.streamforge.engine.Engine;
        import java.nio.file.Path;
        import java.util.List;
        import java.util.Set;

        public class Main {
          private static final Set<String> STOP_WORDS = Set.of("the", "a");

          private static List<String> words(String line) {
            return List.of(line.split(" "));
          }

          public static void main(String[] args) throws Exception {
            Path path = Path.of(args[0]);
            %s
          }
        }
        """
        .formatted(readme("```java\n(Topology topology.*?)```"));
  }

  /** The versions that this build uses, since they are there. */
  private static String plugin(String name) throws IOException {
    return "<plugin><artifactId>%s</artifactId><version>%s</version></plugin>"
        .formatted(name, pluginVersion(name));
  }

  private static String pluginVersion(String name) throws IOException {
    return find(
        ROOT.resolve("pom.xml"), "<artifactId>" + name + "</artifactId>\\s*<version>(.*?)<");
  }

  private static String version() throws IOException {
    return find(ROOT.resolve("pom.xml"), "<version>(.*?)<");
  }

  private static String readme(String pattern) throws IOException {
    return find(ROOT.resolve("README.md"), pattern);
  }

  private static String find(Path file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(Files.readString(file));
    assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
    return matcher.group(1);
  }

  private static List<String> libraries(Path project) throws IOException {
    try (Stream<Path> files = Files.list(project.resolve("target/lib"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static String run(Path directory, String... command) throws Exception {
    Path output = directory.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // From Java 24 on Maven's own libraries make the JVM print warnings.
    String quiet = Runtime.version().feature() < 24 ? "" : " --sun-misc-unsafe-memory-access=allow";
    builder.environment().merge("MAVEN_OPTS", SHORT_LIVED + quiet, (set, ours) -> set + " " + ours);
    Process process = builder.start();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    String text = Files.readString(output);
    if (!ended) {
      process.destroyForcibly();
      throw new AssertionError("it does not end: " + text);
    }
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }
}
