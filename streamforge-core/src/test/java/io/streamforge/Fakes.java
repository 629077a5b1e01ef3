package io.streamforge;

import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;

/** Sources and sinks of topologies that are built and never run. */
public final class Fakes {
  private Fakes() {}

  /** A source of strings without keys and without timestamps. */
  public static Source<Void, String> lines() {
    return new FakeSource<>("lines of a.txt", Void.class, String.class, false);
  }

  /** A source with these types and with timestamps. */
  public static <K, V> Source<K, V> source(Class<K> key, Class<V> value) {
    return new FakeSource<>("fake records", key, value, true);
  }

  /** A source that does not tell its types. */
  public static <K, V> Source<K, V> untyped() {
    return new FakeSource<>("fake records", null, null, true);
  }

  /** A sink of anything. */
  public static <K, V> Sink<K, V> sink() {
    return new FakeSink<>();
  }

  private static final class FakeSource<K, V> implements Source<K, V> {
    private final String description;
    private final Type key;
    private final Type value;
    private final boolean timestamps;

    FakeSource(String description, Type key, Type value, boolean timestamps) {
      this.description = description;
      this.key = key;
      this.value = value;
      this.timestamps = timestamps;
    }

    @Override
    public boolean bounded() {
      return true;
    }

    @Override
    public SplitEnumerator enumerator(SourceContext context) {
      throw new UnsupportedOperationException("never run");
    }

    @Override
    public SourceReader<K, V> reader(SourceContext context) {
      throw new UnsupportedOperationException("never run");
    }

    @Override
    public Type keyType() {
      return key;
    }

    @Override
    public Type valueType() {
      return value;
    }

    @Override
    public boolean hasTimestamps() {
      return timestamps;
    }

    @Override
    public String describe() {
      return description;
    }
  }

  private static final class FakeSink<K, V> implements Sink<K, V> {
    @Override
    public SinkWriter<K, V> writer(SinkContext context) {
      throw new UnsupportedOperationException("never run");
    }

    @Override
    public String describe() {
      return "nowhere";
    }
  }
}
