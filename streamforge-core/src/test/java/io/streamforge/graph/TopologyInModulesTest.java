package io.streamforge.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.ModuleProgram;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What build() says of lambdas in a module that is open, and in one that is not. */
class TopologyInModulesTest {
  private static final String PROGRAM =
      """
      package com.acme;

      import io.streamforge.Topology;
      import io.streamforge.TopologyBuilder;
      import io.streamforge.connector.Sinks;
      import io.streamforge.connector.collection.CollectionSource;
      import io.streamforge.error.StreamForgeException;
      import io.streamforge.record.KeyValue;
      import java.util.List;

      public final class Job {
        public static void main(String[] arguments) {
          TopologyBuilder builder = Topology.builder("words");
          var words = builder.source("words", CollectionSource.ofValues("a", "bc"));
          words.groupBy("length", (key, word) -> word.length()).count("n").sink("a", Sinks.none());
          words
              .flatMap("pairs", (key, word) -> List.of(KeyValue.of(word, 1)))
              .filter("all", (word, one) -> true)
              .groupByKey()
              .count("m")
              .sink("b", Sinks.none());
          try {
            System.out.println(builder.build().graph().problems());
          } catch (StreamForgeException e) {
            System.out.println(e.getMessage());
          }
        }
      }
      """;

  private static final String CLOSED =
      "module com.acme.jobs does not open package com.acme to io.streamforge.core; open it or use"
          + " typed(...)";

  @TempDir Path directory;

  @Test
  void lambdasOfAnOpenModuleTellTheirTypes() throws Exception {
    assertThat(ModuleProgram.run(directory, PROGRAM, "opens com.acme to io.streamforge.core;"))
        .containsExactly("[]");
  }

  @Test
  void lambdasOfAModuleThatIsNotOpenAreNamedWithTheRemedy() throws Exception {
    assertThat(ModuleProgram.run(directory, PROGRAM, ""))
        .containsExactly(
            "TOPOLOGY_INVALID: topology 'words' has 2 problems:",
            "  1. 'length' has keys of unknown type: " + CLOSED,
            "      → state the types with typed(KEY.class, VALUE.class) behind it",
            "  2. 'all/by-key' has keys of unknown type: " + CLOSED,
            "      → state the types with typed(KEY.class, VALUE.class) behind it",
            "  Remedy: mend each of them as its → line says.");
  }
}
