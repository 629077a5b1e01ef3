package io.streamforge.testkit.backend;

import io.streamforge.backend.KeyValueStore;
import io.streamforge.backend.memory.MemoryStore;
import io.streamforge.serde.Serde;

class MemoryStoreTest extends KeyValueStoreContract {
  @Override
  protected <K, V> KeyValueStore<K, V> make(Serde<K> keys, Serde<V> values) {
    return MemoryStore.of(keys, values);
  }
}
