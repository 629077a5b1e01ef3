package io.streamforge.storage;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** A storage that is another one, until a test says else. */
public abstract class ForwardedStorage implements CheckpointStorage {
  /** The other one. */
  protected final CheckpointStorage storage;

  /** Forwards to {@code storage}. */
  protected ForwardedStorage(CheckpointStorage storage) {
    this.storage = storage;
  }

  @Override
  public ObjectWriter write(String name) throws IOException {
    return storage.write(name);
  }

  @Override
  public void sync() throws IOException {
    storage.sync();
  }

  @Override
  public boolean createIfAbsent(String name, byte[] content) throws IOException {
    return storage.createIfAbsent(name, content);
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    return storage.read(name, offset, length);
  }

  @Override
  public List<StoredObject> list(String folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    storage.delete(names);
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
