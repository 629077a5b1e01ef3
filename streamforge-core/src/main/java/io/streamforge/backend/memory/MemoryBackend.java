package io.streamforge.backend.memory;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.serde.KeyKind;
import io.streamforge.state.KeyedStates;

/** Keeps all state on the heap. */
public final class MemoryBackend implements KeyedStateBackend {
  @Override
  public KeyedStates open(
      String node, KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
    return new MemoryKeyedStates(keyKind, firstGroup, endGroup, groups);
  }
}
