package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What pages show besides code. */
final class Pages {
  private static final Path ROOT = Path.of("..");

  private Pages() {}

  /**
   * Compares a text with the block that stands below {@code <!-- output: ID -->} in a page; with
   * {@code -Dgolden.update=true} the block is written anew.
   */
  static void assertShows(String page, String id, String text) throws IOException {
    Path file = ROOT.resolve(page);
    Pattern block =
        Pattern.compile(
            "(<!-- output: " + Pattern.quote(id) + " -->\n```\n).*?```", Pattern.DOTALL);
    Matcher found = block.matcher(Files.readString(file));
    assertThat(found.find()).as("%s has a block '%s'", page, id).isTrue();
    String renewed =
        found.replaceFirst(
            match -> Matcher.quoteReplacement(match.group(1) + text.stripTrailing() + "\n```"));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, renewed);
    }
    assertThat(Files.readString(file)).isEqualTo(renewed);
  }
}
