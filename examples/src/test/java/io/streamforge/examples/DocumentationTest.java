package io.streamforge.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps the pages honest: each block of code below a line {@code <!-- code: FILE#TAG -->} is the
 * region {@code tag::TAG[]} of a file that the tests compile and run, what is between {@code <!--
 * file: FILE -->} and {@code <!-- end -->} is that file, links lead somewhere, and the list of
 * errors is that of the code. With {@code -Dgolden.update=true} pages are written anew.
 */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");
  private static final boolean UPDATE = Boolean.getBoolean("golden.update");
  private static final Pattern INCLUDE =
      Pattern.compile("<!-- code: (\\S+)#(\\S+) -->\n+```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern FILE =
      Pattern.compile("<!-- file: (\\S+) -->\n(.*?)<!-- end -->", Pattern.DOTALL);
  private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

  static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void codeInPagesComesFromTests(Path page) throws IOException {
    String text = Files.readString(page);
    Matcher include = INCLUDE.matcher(text);
    StringBuilder renewed = new StringBuilder();
    int included = 0;
    while (include.find()) {
      included++;
      String region = region(ROOT.resolve(include.group(1)), include.group(2));
      include.appendReplacement(
          renewed,
          Matcher.quoteReplacement(
              "<!-- code: "
                  + include.group(1)
                  + "#"
                  + include.group(2)
                  + " -->\n```java\n"
                  + region
                  + "```"));
    }
    include.appendTail(renewed);
    if (UPDATE) {
      Files.writeString(page, renewed);
    }
    assertThat(JAVA_BLOCK.matcher(text).results().count())
        .as("every block of Java is included from a test")
        .isEqualTo(included);
    assertThat(Files.readString(page)).isEqualTo(renewed.toString());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void filesInPagesAreThoseFiles(Path page) throws IOException {
    Matcher file = FILE.matcher(Files.readString(page));
    StringBuilder renewed = new StringBuilder();
    while (file.find()) {
      String name = file.group(1);
      String content = Files.readString(ROOT.resolve(name)).strip();
      file.appendReplacement(
          renewed,
          Matcher.quoteReplacement("<!-- file: " + name + " -->\n" + content + "\n<!-- end -->"));
    }
    file.appendTail(renewed);
    if (UPDATE) {
      Files.writeString(page, renewed);
    }
    assertThat(Files.readString(page)).isEqualTo(renewed.toString());
  }

  private static String region(Path file, String tag) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(file)) {
      String text = line.strip();
      if (text.equals("// end::" + tag + "[]")) {
        inside = false;
      } else if (text.equals("// tag::" + tag + "[]")) {
        inside = true;
      } else if (inside && !text.startsWith("// tag::") && !text.startsWith("// end::")) {
        lines.add(line);
      }
    }
    assertThat(lines).as("region %s of %s", tag, file).isNotEmpty();
    return String.join("\n", lines).stripIndent().strip() + "\n";
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadSomewhere(Path page) throws IOException {
    Path parent = page.toAbsolutePath().normalize().getParent();
    LINK.matcher(Files.readString(page))
        .results()
        .map(link -> parent.resolve(link.group(1)))
        .forEach(target -> assertThat(target).exists());
  }

  @Test
  void everySettingIsInTheTable() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/concepts.md"));
    for (RecordComponent setting : EngineConfig.class.getRecordComponents()) {
      assertThat(page).contains("\n| " + setting.getName() + " | ");
    }
  }

  @Test
  void theListOfErrorsIsThatOfTheCode() throws IOException {
    StringBuilder page = new StringBuilder();
    page.append("# Errors\n\n");
    page.append(
        "Every error that the engine reports on purpose is a `StreamForgeException` with one of\n");
    page.append(
        "these codes. Its message says what happened, where (job, node, task, position and"
            + " input\n");
    page.append(
        "record, as far as they are known) and what to do. This table is generated from the"
            + " code;\nwhat becomes of records that are rejected stands [below](#error-policies).\n\n");
    page.append("| code | who can mend it | meaning | remedy |\n| --- | --- | --- | --- |\n");
    for (ErrorCode code : ErrorCode.values()) {
      page.append(
          "| `%s` | %s | %s | %s |%n"
              .formatted(
                  code,
                  switch (code.category()) {
                    case USER -> "developer";
                    case EXTERNAL -> "provider of the data";
                    case RESOURCE -> "operator";
                    case INTERNAL -> "StreamForge";
                  },
                  code.meaning(),
                  code.remedy()));
    }
    Path file = ROOT.resolve("docs/errors.md");
    String present = Files.readString(file);
    page.append(present.substring(present.indexOf("\n## ")));
    if (UPDATE) {
      Files.writeString(file, page);
    }
    assertThat(Files.readString(file)).isEqualTo(page.toString());
  }
}
