package io.streamforge.backend.rocksdb;

import io.streamforge.backend.OrderedEntries;
import io.streamforge.backend.SerializedStore;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store in RocksDB on a local disk, for entries that may be more than fit into memory. The
 * directory is scratch space: the database is made when the store is opened, is not written to disk
 * at any given time, and goes with the store. What must outlive it is a snapshot that was written.
 *
 * <p>Besides what its methods say, each of them throws a {@link
 * io.streamforge.error.StreamForgeException} with {@link
 * io.streamforge.error.ErrorCode#STATE_UNAVAILABLE} when the disk fails or is full. A snapshot
 * costs nothing on the heap; until it is closed, files that it needs stay on the disk.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class RocksDbStore<K, V> extends SerializedStore<K, V> {
  private static final Logger LOG = LoggerFactory.getLogger(RocksDbStore.class);

  /** The least with which the database works. */
  private static final long MIN_NATIVE_BYTES = 8L << 20;

  /** Of a replacement, what is written in one step. */
  private static final int BATCH_BYTES = 1 << 18;

  private final StateDirectory directory;
  private final RocksStore database;

  /** Held for reading by whoever uses the table or a walk over it. */
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  private int table;
  private boolean closed;

  private RocksDbStore(
      Serde<K> keys, Serde<V> values, StateDirectory directory, RocksStore database) {
    super(keys, values);
    this.directory = directory;
    this.database = database;
    this.table = database.newTable();
  }

  /**
   * An empty one.
   *
   * @param directory in which it makes one of its own; made when it does not exist. What killed
   *     processes have left in it is removed.
   * @param nativeMemoryBytes what it uses outside the heap at most, 8 MiB or more; 64 MiB serve
   *     most
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SERDE_FAILED} when such keys have no order; with {@link
   *     io.streamforge.error.ErrorCode#CONFIG_INVALID} when the memory is too little, or together
   *     with the heap more than there is; with {@link
   *     io.streamforge.error.ErrorCode#STATE_UNAVAILABLE} when the directory cannot be used
   */
  public static <K, V> RocksDbStore<K, V> open(
      Path directory, Serde<K> keys, Serde<V> values, long nativeMemoryBytes) {
    if (nativeMemoryBytes < MIN_NATIVE_BYTES) {
      throw RocksDbErrors.unfit(
          "nativeMemoryBytes of a store is "
              + nativeMemoryBytes
              + ", expected "
              + MIN_NATIVE_BYTES
              + " (8 MiB) or more",
          "Give the store 8 MiB or more; 64 MiB serve most.");
    }
    NativeMemory.check("nativeMemoryBytes of a store", nativeMemoryBytes);
    StateDirectory own = StateDirectory.make(directory, "store");
    RocksStore database = null;
    try {
      database = RocksStore.open(own.path(), nativeMemoryBytes);
      return new RocksDbStore<>(keys, values, own, database);
    } catch (Throwable e) {
      closeAll(database, own);
      throw e;
    }
  }

  private static void closeAll(@Nullable RocksStore database, StateDirectory directory) {
    try {
      if (database != null) {
        database.close();
      }
    } finally {
      directory.close();
    }
  }

  RocksStore database() {
    return database;
  }

  /** Meanwhile the table is the same and nothing is closed. */
  private <T extends @Nullable Object> T use(Supplier<T> use) {
    Lock reading = lock.readLock();
    reading.lock();
    try {
      if (closed) {
        throw closed();
      }
      return use.get();
    } finally {
      reading.unlock();
    }
  }

  private static byte[] row(int table, byte[] key) {
    ByteWriter row = new ByteWriter(RocksStore.PREFIX_BYTES + key.length);
    row.writeInt(table);
    row.writeBytes(key);
    return row.toByteArray();
  }

  @Override
  protected void putBytes(byte[] key, byte[] value) {
    use(
        () -> {
          database.put(row(table, key), value);
          return key;
        });
  }

  @Override
  protected byte @Nullable [] getBytes(byte[] key) {
    return this.<byte @Nullable []>use(() -> database.get(row(table, key)));
  }

  @Override
  protected void deleteBytes(byte[] key) {
    use(
        () -> {
          database.remove(row(table, key));
          return key;
        });
  }

  @Override
  protected OrderedEntries entries(byte @Nullable [] from, byte @Nullable [] to, boolean once) {
    return use(
        () ->
            new Entries(
                database.walk(
                    table,
                    from == null ? null : row(table, from),
                    to == null ? null : row(table, to),
                    once)));
  }

  @Override
  protected Replacement replacement() {
    return new NewTable(use(database::newTable));
  }

  @Override
  public void close() {
    Lock writing = lock.writeLock();
    writing.lock();
    try {
      if (!closed) {
        closed = true;
        closeAll(database, directory);
      }
    } finally {
      writing.unlock();
    }
  }

  private final class Entries implements OrderedEntries {
    private final RocksStore.Walk walk;

    Entries(RocksStore.Walk walk) {
      this.walk = walk;
    }

    @Override
    public boolean next() {
      return use(walk::next);
    }

    @Override
    public byte[] key() {
      byte[] row = walk.key();
      byte[] key = new byte[row.length - RocksStore.PREFIX_BYTES];
      System.arraycopy(row, RocksStore.PREFIX_BYTES, key, 0, key.length);
      return key;
    }

    @Override
    public byte[] value() {
      return walk.value();
    }

    @Override
    public void rewind() {
      walk.rewind();
    }

    @Override
    public void close() {
      walk.close();
    }
  }

  /** The entries go to a table of their own, which then becomes the one of the store. */
  private final class NewTable implements Replacement {
    private final int added;
    private final BatchBytes batch = new BatchBytes();
    private final ByteWriter row = new ByteWriter();
    private final ByteWriter content = new ByteWriter();

    /** Which table goes in the end: this one, until it has taken the other's place. */
    private int unused;

    NewTable(int added) {
      this.added = added;
      this.unused = added;
    }

    @Override
    public void add(byte[] key, byte[] value) {
      row.reset();
      row.writeInt(added);
      row.writeBytes(key);
      content.reset();
      content.writeBytes(value);
      batch.put(row, content);
      if (batch.size() >= BATCH_BYTES) {
        write();
      }
    }

    private void write() {
      use(
          () -> {
            database.write(batch);
            return batch;
          });
      batch.clear();
    }

    @Override
    public void commit() {
      write();
      Lock writing = lock.writeLock();
      writing.lock();
      try {
        if (closed) {
          throw closed();
        }
        unused = table;
        table = added;
      } finally {
        writing.unlock();
      }
    }

    @Override
    public void close() {
      Lock reading = lock.readLock();
      reading.lock();
      try {
        if (!closed) {
          database.dropTable(unused);
        }
      } catch (StreamForgeException e) {
        // The store is as it should be without it.
        LOG.warn("entries that are not used stay on the disk until the store is closed", e);
      } finally {
        reading.unlock();
      }
    }
  }
}
