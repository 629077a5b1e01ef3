package io.streamforge.testkit.storage;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.testkit.VirtualClock;
import java.io.IOException;
import java.time.Duration;

/**
 * Another storage whose calls take time: the clock goes on before they have their effect. At first
 * none does. Not thread-safe.
 */
public final class SlowStorage extends ForwardingStorage {
  private final VirtualClock clock;
  private Duration completing = Duration.ZERO;
  private Duration creating = Duration.ZERO;
  private Duration reading = Duration.ZERO;

  /** In front of a storage. */
  public SlowStorage(CheckpointStorage storage, VirtualClock clock) {
    super(storage);
    this.clock = clock;
  }

  /** How long it takes to complete an object. */
  public void completing(Duration duration) {
    completing = duration;
  }

  /** How long it takes to create an object at once. */
  public void creating(Duration duration) {
    creating = duration;
  }

  /** How long it takes to read from an object in {@code data}. */
  public void reading(Duration duration) {
    reading = duration;
  }

  @Override
  public ObjectWriter write(String name) throws IOException {
    ObjectWriter writer = storage.write(name);
    return new ObjectWriter() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        writer.write(bytes, offset, length);
      }

      @Override
      public void complete() throws IOException {
        clock.advance(completing);
        writer.complete();
      }

      @Override
      public void close() throws IOException {
        writer.close();
      }
    };
  }

  @Override
  public boolean createIfAbsent(String name, byte[] content) throws IOException {
    clock.advance(creating);
    return storage.createIfAbsent(name, content);
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    if (name.startsWith("data/")) {
      clock.advance(reading);
    }
    return storage.read(name, offset, length);
  }

  @Override
  public String location() {
    return "slow storage";
  }
}
