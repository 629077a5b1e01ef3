package io.streamforge.connector;

import io.streamforge.connector.callback.CallbackSink;
import io.streamforge.connector.callback.RecordCallback;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.none.DiscardingSink;
import io.streamforge.connector.stdout.StdoutSink;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import java.nio.file.Path;
import java.util.function.Function;

/** The sinks that need nothing but the library. */
public final class Sinks {
  private Sinks() {}

  /** Prints {@code key=value}, or the value alone where there is no key, each on a line. */
  public static <K, V> StdoutSink<K, V> stdout() {
    return new StdoutSink<>();
  }

  /** Prints what the formatter returns, each on a line. */
  public static <K, V> StdoutSink<K, V> stdout(Function<? super Record<K, V>, String> formatter) {
    return new StdoutSink<>(formatter);
  }

  /** Keeps the records in memory. */
  public static <K, V> CollectingSink<K, V> collect() {
    return new CollectingSink<>();
  }

  /** Calls a function for each record; at the same time from each task of the sink. */
  public static <K, V> CallbackSink<K, V> forEach(RecordCallback<K, V> callback) {
    return new CallbackSink<>(callback);
  }

  /** Drops the records. */
  public static <K, V> Sink<K, V> none() {
    return new DiscardingSink<>();
  }

  /** Lines in files of a directory: {@code key=value}, or the value where there is no key. */
  public static <K, V> FileSink<K, V> lines(Path directory) {
    return FileSink.lines(directory);
  }

  /** Lines in files of a directory, as the formatter returns them. */
  public static <K, V> FileSink<K, V> lines(
      Path directory, Function<? super Record<K, V>, String> formatter) {
    return FileSink.lines(directory, formatter);
  }
}
