package io.streamforge.runtime;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.operator.Output;

/** Where tests reach into a running job; the defaults change nothing. */
public interface RuntimeHooks {
  /** No hooks. */
  RuntimeHooks NONE = new RuntimeHooks() {};

  /** An output of a node in one task, as it is to be used. */
  default Output observed(String node, Output output) {
    return output;
  }

  /** Where keyed state lives. */
  default KeyedStateBackend backend() {
    return new MemoryBackend();
  }
}
