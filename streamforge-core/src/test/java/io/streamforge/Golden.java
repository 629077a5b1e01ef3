package io.streamforge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Expected texts that are kept in files under review. {@code -Dgolden.update=true} writes them
 * anew.
 */
public final class Golden {
  private static final Path ROOT = Path.of("src/test/resources");

  private Golden() {}

  /** That the text is what the file says. */
  public static void assertMatches(String file, String actual) {
    Path path = ROOT.resolve(file);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(path.getParent());
        Files.writeString(path, actual);
      }
      assertThat(actual)
          .as("%s; if the change is wanted, run the test with -Dgolden.update=true", path)
          .isEqualTo(Files.exists(path) ? Files.readString(path) : "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
