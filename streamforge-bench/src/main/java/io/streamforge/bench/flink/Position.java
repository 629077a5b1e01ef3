package io.streamforge.bench.flink;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Where a reader goes on: as split of a source that has none to assign, since a reader knows its
 * share by its number.
 */
record Position(int reader, long index) implements SourceSplit {
  @Override
  public String splitId() {
    return Integer.toString(reader);
  }

  /** Assigns nothing. */
  static final class Enumerator implements SplitEnumerator<Position, Boolean> {
    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<Position> splits, int subtask) {}

    @Override
    public void addReader(int subtask) {}

    @Override
    public Boolean snapshotState(long checkpoint) {
      return true;
    }

    @Override
    public void close() {}
  }

  /** As two numbers. */
  static final class Serializer implements SimpleVersionedSerializer<Position> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Position position) {
      return ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
          .putInt(position.reader)
          .putLong(position.index)
          .array();
    }

    @Override
    public Position deserialize(int version, byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new Position(buffer.getInt(), buffer.getLong());
    }
  }

  /** Of the enumerator, which has no state. */
  static final class NoStateSerializer implements SimpleVersionedSerializer<Boolean> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Boolean state) {
      return new byte[0];
    }

    @Override
    public Boolean deserialize(int version, byte[] bytes) {
      return true;
    }
  }
}
