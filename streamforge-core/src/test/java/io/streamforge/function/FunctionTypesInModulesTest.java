package io.streamforge.function;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a small program in a module of its own in another JVM. */
class FunctionTypesInModulesTest {
  private static final String PROGRAM =
      """
      package com.acme;

      import io.streamforge.function.FunctionTypes;
      import io.streamforge.function.ValueMapper;
      import io.streamforge.serde.Serdes;

      public final class Job {
        record Order(String id) {}

        static final class Named implements ValueMapper<Order, String> {
          @Override
          public String apply(Order value) {
            return value.id();
          }
        }

        private static Order parse(String text) {
          return new Order(text);
        }

        public static void main(String[] arguments) {
          ValueMapper<String, Order> reference = Job::parse;
          System.out.println(FunctionTypes.of(reference, ValueMapper.class));
          System.out.println(FunctionTypes.of(new Named(), ValueMapper.class));
          System.out.println(Serdes.infer(Order.class));
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void lambdaOfAnOpenModuleIsRead() throws Exception {
    assertThat(run("opens com.acme to io.streamforge.core;"))
        .containsExactly(
            "Known[parameters=[class java.lang.String], result=class com.acme.Job$Order,"
                + " implementation=com.acme.Job::parse]",
            "Known[parameters=[class com.acme.Job$Order], result=class java.lang.String,"
                + " implementation=com.acme.Job$Named.apply]",
            "Found[serde=com.acme.Job$Order(id: string)]");
  }

  @Test
  void lambdaOfAModuleThatIsNotOpenIsUnknownAndSaysWhatToDo() throws Exception {
    assertThat(run(""))
        .containsExactly(
            "Unknown[reason=module com.acme.jobs does not open package com.acme to"
                + " io.streamforge.core; open it or use typed(...), implementation="
                + "com.acme.Job.lambda]",
            "Known[parameters=[class com.acme.Job$Order], result=class java.lang.String,"
                + " implementation=com.acme.Job$Named.apply]",
            "Missing[reason=module com.acme.jobs does not open package com.acme to"
                + " io.streamforge.core]");
  }

  private List<String> run(String directive) throws Exception {
    Path core = coreJar();
    Path sources = Files.createDirectories(directory.resolve("src/com/acme"));
    Path program = Files.writeString(sources.resolve("Job.java"), PROGRAM);
    Path module =
        Files.writeString(
            directory.resolve("src/module-info.java"),
            "module com.acme.jobs { requires io.streamforge.core; " + directive + " }");
    Path classes = directory.resolve("classes");
    compile(core, classes, program, module);
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
  private Path coreJar() throws Exception {
    Path location =
        Path.of(FunctionTypes.class.getProtectionDomain().getCodeSource().getLocation().toURI());
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
