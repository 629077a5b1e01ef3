package io.streamforge.backend.memory;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.state.KeyedStates;

/** Keeps all state on the heap. */
public final class MemoryBackend implements KeyedStateBackend {
  /** Makes the states of a node in one task; what a node's own copy is made as. */
  public interface Factory {
    /** As {@link KeyedStateBackend#open}. */
    KeyedStates open(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups);
  }

  @Override
  public KeyedStates open(
      String node,
      NodeClasses classes,
      KeyKind<Object> keyKind,
      int firstGroup,
      int endGroup,
      int groups) {
    return classes
        .instance(node, Factory.class, MemoryStatesFactory.class)
        .open(keyKind, firstGroup, endGroup, groups);
  }
}
