package io.streamforge.connector.stdout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.streamforge.connector.FakeClock;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.record.Record;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StdoutSinkTest {
  private static final String EOL = System.lineSeparator();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  private static <K, V> SinkWriter<K, V> open(StdoutSink<K, V> sink) {
    return sink.writer(new SinkContext("job", "out", 0, 1, new FakeClock(), false));
  }

  @Test
  void linesAppearWhenThereIsNoMoreInput() throws Exception {
    SinkWriter<String, String> writer = open(new StdoutSink<String, String>().to(stream));

    writer.write("k", "grün", 0, null);
    writer.write(null, "b", 0, null);
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEmpty();
    writer.flush();

    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("k=grün" + EOL + "b" + EOL);
  }

  @Test
  void linesAppearWhenTheBufferIsFull() throws Exception {
    SinkWriter<String, String> writer = open(new StdoutSink<String, String>().to(stream));

    writer.write(null, "x".repeat(10_000), 0, null);

    assertThat(bytes.size()).isEqualTo(10_000 + EOL.length());
  }

  @Test
  void lastLinesAppearWhenTheWriterFinishes() throws Exception {
    SinkWriter<String, String> writer =
        open(new StdoutSink<String, String>(Record::toString).to(stream));

    writer.write("k", "v", 7, null);
    writer.finish();
    writer.close();

    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("k=v@7" + EOL);
  }

  @Test
  void i05ClosedPipeFailsWithAnErrorOfItsOwn() throws Exception {
    PrintStream broken =
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
              }
            },
            false,
            StandardCharsets.UTF_8);
    SinkWriter<String, String> writer = open(new StdoutSink<String, String>().to(broken));
    writer.write(null, "a", 0, null);

    assertThatThrownBy(writer::flush)
        .asInstanceOf(type(StdoutClosedException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SINK_FAILED))
        .satisfies(e -> assertThat(e.context().node()).isEqualTo("out"))
        .satisfies(
            e ->
                assertThat(e.within(new ErrorContext("job", null, "0[0]", null, null)))
                    .isInstanceOf(StdoutClosedException.class)
                    .hasMessageContaining("job 'job', node 'out', task 0[0]"));
  }
}
