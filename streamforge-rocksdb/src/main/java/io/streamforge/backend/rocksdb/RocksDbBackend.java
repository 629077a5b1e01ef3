package io.streamforge.backend.rocksdb;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.TaskStates;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.specialise.NodeClasses;

/** One database for all nodes and tasks of a job. */
final class RocksDbBackend implements KeyedStateBackend {
  private final RocksStore store;
  private final StateDirectory directory;
  private final HeapShares shares;

  /**
   * With an empty database.
   *
   * @param directory in which it is; closed with it
   * @param heapBytes what entries in front of it may take of the heap, about
   */
  RocksDbBackend(RocksStore store, StateDirectory directory, long heapBytes) {
    this.store = store;
    this.directory = directory;
    this.shares = new HeapShares(heapBytes);
  }

  @Override
  public TaskStates open(NodeClasses classes, Opening opening) {
    Opening derived =
        Opening.fresh(
            opening.node(),
            opening.keyKind(),
            opening.firstGroup(),
            opening.endGroup(),
            opening.groups());
    return new RocksStates(
        store, directory.path(), shares.add(), opening, new MemoryBackend().open(classes, derived));
  }

  RocksStore store() {
    return store;
  }

  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
