package io.streamforge.connector;

import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.generator.GeneratorSource;
import io.streamforge.connector.generator.RecordGenerator;
import io.streamforge.connector.generator.ValueGenerator;
import io.streamforge.record.Record;
import java.nio.file.Path;
import java.util.List;

/** The sources that need nothing but the library. */
public final class Sources {
  private Sources() {}

  /** These records, with their timestamps. */
  public static <K, V> CollectionSource<K, V> collection(List<Record<K, V>> records) {
    return CollectionSource.of(records);
  }

  /** These values, without keys and timestamps. */
  @SafeVarargs
  public static <V> CollectionSource<Void, V> values(V... values) {
    return CollectionSource.ofValues(values);
  }

  /** These values, without keys and timestamps. */
  public static <V> CollectionSource<Void, V> values(List<V> values) {
    return CollectionSource.ofValues(values);
  }

  /** A channel that the application sends records without timestamps into. */
  public static <K, V> InMemoryChannel<K, V> channel(int capacity) {
    return InMemoryChannel.of(capacity);
  }

  /** Values made by a function of their index and a random sequence. */
  public static <V> GeneratorSource<Void, V> generator(ValueGenerator<V> function) {
    return GeneratorSource.values(function);
  }

  /** Records made by a function of their index and a random sequence. */
  public static <K, V> GeneratorSource<K, V> recordGenerator(RecordGenerator<K, V> function) {
    return GeneratorSource.records(function);
  }

  /** The lines of these files or directories, in UTF-8; gzip is recognised. */
  public static FileSource<String> lines(Path... paths) {
    return FileSource.lines(paths);
  }
}
