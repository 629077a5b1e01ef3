package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.runtime.task.NodeRejections;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged of rejected records. */
class RejectionLogTest {
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(NodeRejections.class);

  @BeforeEach
  void attach() {
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(appender);
  }

  private List<String> logged() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void theFirstIsLoggedAtOnceAndThenOneLineInTenSecondsSaysHowManyThereWere() {
    Topology topology =
        Topology.builder("shop")
            .source("in", CollectionSource.ofValues("v"))
            .mapValues("parse", v -> Integer.parseInt(v))
            .onError(ErrorPolicy.skip())
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<Void, String> input = driver.input("in");
      input.pipe(null, "a").pipe(null, "b").pipe(null, "1").pipe(null, "c");
      assertThat(logged())
          .containsExactly(
              "node 'parse' of job 'shop', task 0[0], skips null=a at split 0, position 0:"
                  + " NumberFormatException: For input string: \"a\"");

      driver.advanceTime(Duration.ofMillis(9_999));
      input.pipe(null, "d");
      assertThat(logged()).hasSize(1);
      driver.advanceTime(Duration.ofMillis(1));
      input.pipe(null, "e".repeat(300));
      assertThat(logged()).hasSize(2);
      assertThat(logged().get(1))
          .contains("null=" + "e".repeat(200) + "… (300 characters) at split 0, position 5")
          .endsWith("; and before it 3 more");

      input.pipe(null, "f").pipe(null, "g");
      driver.end();
    }
    assertThat(logged())
        .hasSize(3)
        .last()
        .isEqualTo("node 'parse' of job 'shop', task 0[0], has rejected 2 more");
  }

  @Test
  void deadLettersAreLoggedInTheSameWay() {
    Topology topology =
        Topology.builder("shop")
            .source("in", CollectionSource.ofValues("v"))
            .mapValues("parse", v -> Integer.parseInt(v))
            .onError(ErrorPolicy.deadLetter(Sinks.none()))
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      driver.<Void, String>input("in").pipe(null, "a").pipe(null, "b");
      driver.end();
    }
    assertThat(logged())
        .containsExactly(
            "node 'parse' of job 'shop', task 0[0], sends to its dead letters null=a at split 0,"
                + " position 0: NumberFormatException: For input string: \"a\"",
            "node 'parse' of job 'shop', task 0[0], has rejected 1 more");
  }
}
