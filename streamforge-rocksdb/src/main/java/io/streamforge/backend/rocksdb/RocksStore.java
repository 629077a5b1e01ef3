package io.streamforge.backend.rocksdb;

import io.streamforge.error.StreamForgeException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * A RocksDB database without a log of its own, in which the keys of a table share a prefix.
 * Thread-safe, except that a walk belongs to one thread. What is called after {@link #close}
 * throws; the process does not crash.
 */
// Whatever touches native memory holds the lock for reading, so that nothing is freed under it.
final class RocksStore implements AutoCloseable {
  /** Bytes of a table's number before each key. */
  static final int PREFIX_BYTES = 4;

  private static final int BLOCK_BYTES = 8 << 10;
  private static final double BITS_PER_KEY = 10;
  private static final long MIN_BUFFER_BYTES = 1 << 20;
  private static final long MAX_BUFFER_BYTES = 64 << 20;
  private static final int MAX_OPEN_FILES = 500;

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Deque<AutoCloseable> natives = new ArrayDeque<>();
  private final Set<Walk> walks =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private final AtomicInteger tables = new AtomicInteger();
  private final Path directory;
  private final RocksDB database;
  private final ReadOptions readOptions;
  private final WriteOptions writeOptions;
  private boolean closed;

  /**
   * An empty one.
   *
   * @param nativeBytes what it uses outside the heap at most: blocks, indexes, filters and what is
   *     not yet written to files
   * @throws StreamForgeException when it cannot be opened
   */
  static RocksStore open(Path directory, long nativeBytes) {
    try {
      RocksDB.loadLibrary();
    } catch (UnsatisfiedLinkError | RuntimeException e) {
      throw RocksDbErrors.failed("the native library of RocksDB cannot be loaded", e);
    }
    try {
      return new RocksStore(directory, nativeBytes);
    } catch (RocksDBException e) {
      throw RocksDbErrors.failed("RocksDB cannot be opened in '" + directory + "'", e);
    }
  }

  private RocksStore(Path directory, long nativeBytes) throws RocksDBException {
    this.directory = directory;
    Cache cache = owned(new LRUCache(nativeBytes));
    // What it counts is taken out of the cache, so that the cache is the bound of all.
    WriteBufferManager buffers = owned(new WriteBufferManager(nativeBytes / 2, cache));
    long bufferBytes = Math.max(MIN_BUFFER_BYTES, Math.min(MAX_BUFFER_BYTES, nativeBytes / 8));
    BlockBasedTableConfig blocks =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setBlockSize(BLOCK_BYTES)
            .setFilterPolicy(owned(new BloomFilter(BITS_PER_KEY)))
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setOptimizeFiltersForMemory(true);
    Options options =
        owned(new Options())
            .setCreateIfMissing(true)
            .setErrorIfExists(true)
            .setTableFormatConfig(blocks)
            .setWriteBufferManager(buffers)
            .setWriteBufferSize(bufferBytes)
            .setMaxWriteBufferNumber(3)
            .setTargetFileSizeBase(Math.max(bufferBytes, 16 << 20))
            .setMaxBytesForLevelBase(Math.max(bufferBytes, 16 << 20) * 4)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setMaxBackgroundJobs(2)
            .setMaxOpenFiles(MAX_OPEN_FILES)
            .setAvoidFlushDuringShutdown(true)
            .setStatsDumpPeriodSec(0)
            .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
            .setKeepLogFileNum(1);
    this.readOptions = owned(new ReadOptions().setVerifyChecksums(true));
    this.writeOptions = owned(new WriteOptions().setDisableWAL(true));
    this.database = owned(RocksDB.open(options, directory.resolve("db").toString()));
  }

  private <T extends AutoCloseable> T owned(T made) {
    natives.push(made);
    return made;
  }

  private interface Use<T extends @Nullable Object> {
    T use() throws RocksDBException;
  }

  private <T extends @Nullable Object> T use(String what, Use<T> use) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw RocksDbErrors.failed("RocksDB in '" + directory + "' has been closed", null);
      }
      return use.use();
    } catch (RocksDBException e) {
      throw RocksDbErrors.failed("RocksDB in '" + directory + "' cannot be " + what, e);
    } finally {
      lock.readLock().unlock();
    }
  }

  /** How many tables have come to it. */
  int tables() {
    return tables.get();
  }

  /** Number of a new table. */
  int newTable() {
    return tables.getAndIncrement();
  }

  /**
   * Reads the value of a key into {@code value}.
   *
   * @return length of the value, of which no more is read than there is room; negative when there
   *     is none
   */
  int get(byte[] key, int keyLength, byte[] value) {
    return use("read", () -> database.get(readOptions, key, 0, keyLength, value, 0, value.length));
  }

  /** The value of a key; null when there is none. */
  byte @Nullable [] get(byte[] key) {
    return this.<byte @Nullable []>use("read", () -> database.get(readOptions, key));
  }

  /** Sets a value. */
  void put(byte[] key, byte[] value) {
    use(
        "written",
        () -> {
          database.put(writeOptions, key, value);
          return key;
        });
  }

  /** Removes a key; no effect when it is not there. */
  void remove(byte[] key) {
    use(
        "written",
        () -> {
          database.delete(writeOptions, key);
          return key;
        });
  }

  /** Writes what a batch says, all or nothing. */
  void write(BatchBytes batch) {
    int operations =
        use(
            "written",
            () -> {
              try (WriteBatch nativeBatch = new WriteBatch(batch.toBytes())) {
                database.write(writeOptions, nativeBatch);
                return nativeBatch.count();
              }
            });
    if (operations != batch.count()) {
      throw new IllegalStateException(operations + " of " + batch.count() + " were written");
    }
  }

  /** Removes all entries of a table, whose number is never used again. */
  void dropTable(int table) {
    use(
        "written",
        () -> {
          database.deleteRange(writeOptions, prefix(table), prefix(table + 1));
          return table;
        });
  }

  /**
   * A walk over the entries of a table as they are now, in the order of their bytes.
   *
   * @param from the first key, with the number of the table, that it may come to; null: all
   */
  Walk walk(int table, byte @Nullable [] from) {
    return walk(table, from, null, false);
  }

  /**
   * The same, of some of the entries.
   *
   * @param to the key, with the number of the table, before which it ends; null: none
   * @param caching whether the blocks that it reads stay in memory
   */
  Walk walk(int table, byte @Nullable [] from, byte @Nullable [] to, boolean caching) {
    return use("read", () -> new Walk(table, from, to, caching));
  }

  /** How much of the memory is used, about; in bytes. */
  long nativeBytes() {
    return use(
        "read",
        () ->
            database.getLongProperty("rocksdb.block-cache-usage")
                + database.getLongProperty("rocksdb.cur-size-all-mem-tables"));
  }

  private static byte[] prefix(int table) {
    return new byte[] {
      (byte) (table >>> 24), (byte) (table >>> 16), (byte) (table >>> 8), (byte) table
    };
  }

  /** Frees everything; what is in hand is waited for. */
  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      walks.forEach(Walk::free);
      walks.clear();
      while (!natives.isEmpty()) {
        natives.pop().close();
      }
    } catch (Exception e) {
      throw new IllegalStateException("RocksDB in '" + directory + "' could not be closed", e);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Stands before the first entry at first. */
  final class Walk implements AutoCloseable {
    private final Slice end;
    private final ReadOptions options;
    private final RocksIterator entries;
    private final byte[] begin;
    private byte @Nullable [] key;
    private byte @Nullable [] value;
    private boolean begun;

    private Walk(int table, byte @Nullable [] from, byte @Nullable [] to, boolean caching) {
      begin = from == null ? prefix(table) : from;
      end = new Slice(to == null ? prefix(table + 1) : to);
      options = new ReadOptions().setIterateUpperBound(end).setFillCache(caching);
      entries = database.newIterator(options);
      walks.add(this);
    }

    /** Goes to the next entry; false when there is none. */
    boolean next() {
      return use(
          "read",
          () -> {
            if (begun) {
              entries.next();
            } else {
              entries.seek(begin);
              begun = true;
            }
            return fetch();
          });
    }

    /** Stands before the first entry again; the entries are those that they were. */
    void rewind() {
      begun = false;
    }

    private boolean fetch() throws RocksDBException {
      boolean valid = entries.isValid();
      if (valid) {
        key = entries.key();
        value = entries.value();
      } else {
        entries.status();
        key = null;
        value = null;
      }
      return valid;
    }

    /** Key of the entry, with the number of the table. */
    byte[] key() {
      return there(key);
    }

    /** Its value. */
    byte[] value() {
      return there(value);
    }

    private byte[] there(byte @Nullable [] bytes) {
      if (bytes == null) {
        throw new IllegalStateException("the walk does not stand on an entry");
      }
      return bytes;
    }

    private void free() {
      entries.close();
      options.close();
      end.close();
    }

    @Override
    public void close() {
      lock.readLock().lock();
      try {
        if (walks.remove(this)) {
          free();
        }
      } finally {
        lock.readLock().unlock();
      }
    }
  }
}
