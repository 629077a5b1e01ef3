package io.streamforge.testkit.backend;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryBackend;

class MemoryBackendContractTest extends KeyedStateBackendContract {
  @Override
  protected KeyedStateBackend backend() {
    return new MemoryBackend();
  }
}
