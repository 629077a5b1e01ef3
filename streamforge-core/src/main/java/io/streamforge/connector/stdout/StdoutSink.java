package io.streamforge.connector.stdout;

import io.streamforge.error.ErrorContext;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.io.PrintStream;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Prints each record on a line of standard output. Lines of several tasks are never mixed. When
 * nobody reads the output any more, writing fails with {@link StdoutClosedException}.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class StdoutSink<K, V> implements Sink<K, V> {
  private static final int BUFFER_CHARS = 8192;

  private final Function<? super Record<K, V>, String> formatter;
  private final @Nullable PrintStream target;

  /** Prints {@code key=value}, or the value alone where there is no key. */
  public StdoutSink() {
    this(StdoutSink::keyAndValue);
  }

  /** Prints what {@code formatter} returns. */
  public StdoutSink(Function<? super Record<K, V>, String> formatter) {
    this(formatter, null);
  }

  private StdoutSink(
      Function<? super Record<K, V>, String> formatter, @Nullable PrintStream target) {
    this.formatter = Objects.requireNonNull(formatter);
    this.target = target;
  }

  private static String keyAndValue(Record<?, ?> record) {
    return record.key() == null
        ? String.valueOf(record.value())
        : record.key() + "=" + record.value();
  }

  /** The same, printed elsewhere than to {@code System.out}. */
  public StdoutSink<K, V> to(PrintStream stream) {
    return new StdoutSink<>(formatter, stream);
  }

  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return new Writer<>(
        formatter, target != null ? target : System.out, ErrorContext.node(context.node()));
  }

  @Override
  public String describe() {
    return "stdout";
  }

  private static final class Writer<K, V> implements SinkWriter<K, V> {
    private final Function<? super Record<K, V>, String> formatter;
    private final PrintStream stream;
    private final ErrorContext context;
    private final StringBuilder lines = new StringBuilder();

    /** What the formatter has thrown for the last record; null when it has not. */
    private @Nullable Exception refused;

    Writer(
        Function<? super Record<K, V>, String> formatter,
        PrintStream stream,
        ErrorContext context) {
      this.formatter = formatter;
      this.stream = stream;
      this.context = context;
    }

    @Override
    @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      lines.append(line(new Record<>(key, value, timestampMillis, headers)));
      lines.append(System.lineSeparator());
      if (lines.length() >= BUFFER_CHARS) {
        flush();
      }
    }

    private String line(Record<K, V> record) {
      try {
        return formatter.apply(record);
      } catch (RuntimeException e) {
        refused = e;
        throw e;
      }
    }

    @Override
    public boolean refuses(Exception failure) {
      return failure == refused;
    }

    @Override
    public void flush() {
      if (lines.length() > 0) {
        // One call, so that lines of other tasks come before or after but not in between.
        stream.print(lines);
        lines.setLength(0);
      }
      if (stream.checkError()) {
        throw new StdoutClosedException(context);
      }
    }

    @Override
    public void finish() {
      flush();
    }
  }
}
