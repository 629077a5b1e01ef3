package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.engine.Engine;
import io.streamforge.runtime.checkpoint.CheckpointCoordinator;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.sink.SinkFaults;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is logged of checkpoints. */
class CheckpointLogTest {
  private static final Duration SLOW = Duration.ofMillis(20);

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger logger =
      (Logger) LoggerFactory.getLogger(CheckpointCoordinator.class.getName());

  @TempDir Path directory;

  @BeforeEach
  void attach() {
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(appender);
  }

  private List<String> run(CheckpointConfig checkpoints) throws InterruptedException {
    MarkedSink<String, Long> sink = new MarkedSink<>();
    sink.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.PREPARE && moment == SinkFaults.Moment.BEFORE) {
            workFor(SLOW);
          }
        });
    Topology topology =
        Topology.builder("logged")
            .source("in", Sources.values("a", "b", "a"))
            .groupBy("by-word", (key, value) -> value)
            .count("count")
            .sink("out", sink)
            .build();
    EngineConfig config = EngineConfig.builder().parallelism(1).checkpoints(checkpoints).build();
    try (Engine engine = Engine.start(topology, config)) {
      engine.awaitCompletion();
    }
    return appender.list.stream()
        .filter(event -> event.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  private static void workFor(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void slowCheckpointSaysInOneLineWhatHasTakenLongest() throws InterruptedException {
    assertThat(run(CheckpointConfig.at(directory.toString()).slowAfter(SLOW)))
        .singleElement()
        .asString()
        .matches(
            "checkpoint \\d+ of job 'logged' took \\d+ ms: \\d+ ms of them"
                + " (task|the writer of 'out' in task|its entry in the log) .+");
  }

  @Test
  void checkpointThatIsNotSlowSaysNothing() throws InterruptedException {
    assertThat(run(CheckpointConfig.at(directory.toString()).slowAfter(Duration.ofHours(1))))
        .isEmpty();
  }
}
