package io.streamforge.function;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.ModuleProgram;
import java.nio.file.Path;
import java.util.List;
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
    return ModuleProgram.run(directory, PROGRAM, directive);
  }
}
