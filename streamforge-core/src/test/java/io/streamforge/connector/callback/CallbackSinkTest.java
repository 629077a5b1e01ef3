package io.streamforge.connector.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.connector.FakeClock;
import io.streamforge.connector.Sinks;
import io.streamforge.record.Record;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallbackSinkTest {
  private static final SinkContext CONTEXT =
      new SinkContext("job", "out", 0, 1, new FakeClock(), false);

  @Test
  void eachRecordIsHandedOver() throws Exception {
    List<Record<String, Integer>> seen = new ArrayList<>();
    SinkWriter<String, Integer> writer = Sinks.<String, Integer>forEach(seen::add).writer(CONTEXT);

    writer.write("a", 1, 5, null);
    writer.write(null, null, 6, null);

    assertThat(seen).containsExactly(Record.of("a", 1, 5), Record.of(null, null, 6));
  }

  @Test
  void failureOfTheFunctionIsPassedOn() {
    CallbackSink<String, Integer> sink =
        Sinks.forEach(
            record -> {
              throw new IOException("no");
            });

    assertThatThrownBy(() -> sink.writer(CONTEXT).write("a", 1, 5, null))
        .isInstanceOf(IOException.class)
        .hasMessage("no");
    assertThat(sink.blocking()).isTrue();
  }

  @Test
  void noneTakesEverything() throws Exception {
    Sinks.<String, Integer>none().writer(CONTEXT).write("a", 1, 5, null);
  }
}
