package io.streamforge.bench.flink;

import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** What Flink asks of a source with splits, for one that has none. */
final class NoSplit implements SourceSplit {
  @Override
  public String splitId() {
    return "none";
  }

  /** Assigns nothing. */
  static final class Enumerator implements SplitEnumerator<NoSplit, Boolean> {
    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<NoSplit> splits, int subtask) {}

    @Override
    public void addReader(int subtask) {}

    @Override
    public Boolean snapshotState(long checkpoint) {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Of the only value that there is. */
  static final class Serializer<T> implements SimpleVersionedSerializer<T> {
    private final T only;

    Serializer(T only) {
      this.only = only;
    }

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(T value) {
      return new byte[0];
    }

    @Override
    public T deserialize(int version, byte[] bytes) {
      return only;
    }
  }
}
