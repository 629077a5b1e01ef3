package io.streamforge.storage.file;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage that is elsewhere, with copies on a disk of this machine of all data that was written
 * here: so what a job goes on from after a restart is read without the network. The copies take as
 * much room as the objects, and go when these are deleted.
 *
 * <p>What exists is always asked of the storage itself, and so is everything but data: who has the
 * job is decided there. A copy is used when its length is that of the object and what is read of it
 * is as it was written; otherwise the object is read. A disk that fails changes nothing but where
 * things are read from.
 */
public final class CopiedStorage implements CheckpointStorage {
  /*
   * A copy stands for its object because a name never means two contents, not even where a place was
   * emptied and used again: names of data have a random part (checkpoint.DataNames).
   *
   * An object that another process has deleted is read here for as long as its copy is there. That
   * is more than the contract allows and does no harm: nobody concludes from being able to read data
   * that it exists.
   */
  private static final Logger LOG = LoggerFactory.getLogger(CopiedStorage.class);

  private static final String DATA = "data";
  private static final int HASH_BYTES = 8;

  private final CheckpointStorage storage;
  private final LocalCopies copies;

  private CopiedStorage(CheckpointStorage storage, LocalCopies copies) {
    this.storage = storage;
    this.copies = copies;
  }

  /**
   * A storage with copies. Those of objects that there are no more are removed.
   *
   * @param storage is closed with it
   * @param stateDirectory where the copies of this place have a directory of their own; made when
   *     it does not exist
   * @param job part of that directory's name, for people
   */
  public static CopiedStorage open(CheckpointStorage storage, Path stateDirectory, String job) {
    return open(storage, stateDirectory, job, Disk.REAL);
  }

  /** On a disk that tests provide. */
  static CopiedStorage open(CheckpointStorage storage, Path stateDirectory, String job, Disk disk) {
    Path directory = directory(stateDirectory, job, storage.location());
    LocalCopies copies = new LocalCopies(directory, disk, storage.location());
    try {
      List<StoredObject> objects = storage.list(DATA);
      long bytes = copies.open(objects);
      LOG.info(
          "local copies of {} in {}: {} of {} objects, {} of {} MiB",
          storage.location(),
          directory,
          copies.count(),
          objects.size(),
          bytes >> 20,
          objects.stream().mapToLong(StoredObject::size).sum() >> 20);
    } catch (IOException e) {
      // Whoever opens the log of the place says what is wrong with it.
      LOG.debug("there are no local copies of {}", storage.location(), e);
    }
    return new CopiedStorage(storage, copies);
  }

  /** Jobs may have the same name, and their places the same last part. */
  static Path directory(Path stateDirectory, String job, String location) {
    byte[] hash;
    try {
      hash = MessageDigest.getInstance("SHA-256").digest(location.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    return stateDirectory
        .resolve("copies")
        .resolve(
            job.replaceAll("[^\\w.-]", "_") + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES));
  }

  private static boolean isCopied(String name) {
    return name.startsWith(DATA + "/");
  }

  @Override
  public ObjectWriter write(String name) throws IOException {
    ObjectWriter writer = storage.write(name);
    return isCopied(name) ? new CopyingWriter(writer, copies.begin(name)) : writer;
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
    byte[] copied = isCopied(name) ? copies.read(name, offset, length) : null;
    return copied != null ? copied : storage.read(name, offset, length);
  }

  @Override
  public List<StoredObject> list(String folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    storage.delete(names);
    copies.delete(names.stream().filter(CopiedStorage::isCopied).toList());
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }

  /** Writes an object, and then the same to its copy. */
  private record CopyingWriter(ObjectWriter writer, LocalCopies.Writer copy)
      implements ObjectWriter {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writer.write(bytes, offset, length);
      copy.write(bytes, offset, length);
    }

    @Override
    public void complete() throws IOException {
      writer.complete();
      copy.complete();
    }

    @Override
    public void close() throws IOException {
      try (copy) {
        writer.close();
      }
    }
  }
}
