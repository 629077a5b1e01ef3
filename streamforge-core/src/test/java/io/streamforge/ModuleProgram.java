package io.streamforge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Runs a small program in a module of its own, {@code com.acme.jobs}, in another JVM. */
public final class ModuleProgram {
  private ModuleProgram() {}

  /**
   * What the program prints, line by line.
   *
   * @param directory an empty one
   * @param program source of a class {@code com.acme.Job} with a main method
   * @param directive of the module's declaration, such as {@code opens com.acme;}; may be empty
   */
  public static List<String> run(Path directory, String program, String directive)
      throws Exception {
    Path core = coreJar(directory);
    Path sources = Files.createDirectories(directory.resolve("src/com/acme"));
    Path job = Files.writeString(sources.resolve("Job.java"), program);
    Path module =
        Files.writeString(
            directory.resolve("src/module-info.java"),
            "module com.acme.jobs { requires io.streamforge.core; " + directive + " }");
    Path classes = directory.resolve("classes");
    compile(core, classes, job, module);
    return java(core, classes);
  }

  private static void compile(Path core, Path classes, Path... sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    List<String> arguments =
        Stream.concat(
                Stream.of("-nowarn", "-p", core.toString(), "-d", classes.toString()),
                Stream.of(sources).map(Path::toString))
            .toList();
    int result = compiler.run(null, messages, messages, arguments.toArray(new String[0]));
    assertThat(result).as(messages.toString(StandardCharsets.UTF_8)).isZero();
  }

  private static List<String> java(Path core, Path classes) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-p",
                core + File.pathSeparator + classes,
                "-cp", // what the core needs; automatic modules read it
                System.getProperty("java.class.path"),
                "-m",
                "com.acme.jobs/com.acme.Job")
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      List<String> lines =
          new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(process.waitFor()).as(lines.toString()).isZero();
      return lines;
    }
  }

  /** A directory of classes is no automatic module, a jar is. */
  private static Path coreJar(Path directory) throws Exception {
    Path location =
        Path.of(Topology.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (!Files.isDirectory(location)) {
      return location;
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Automatic-Module-Name", "io.streamforge.core");
    Path jar = directory.resolve("core.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream output = new JarOutputStream(file, manifest);
        Stream<Path> files = Files.walk(location)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        add(output, location.relativize(each).toString().replace(File.separatorChar, '/'), each);
      }
    }
    return jar;
  }

  private static void add(JarOutputStream output, String name, Path file) throws IOException {
    if (name.startsWith("META-INF")) {
      return;
    }
    output.putNextEntry(new JarEntry(name));
    Files.copy(file, output);
    output.closeEntry();
  }
}
