package io.streamforge.backend;

import io.streamforge.serde.KeyKind;
import io.streamforge.state.KeyedStates;

/** Where keyed state lives. */
public interface KeyedStateBackend {
  /**
   * The states of a node in one task, which owns the key groups {@code firstGroup} to {@code
   * endGroup} - 1 of {@code groups}.
   *
   * @param keyKind identity of the node's keys
   */
  KeyedStates open(String node, KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups);
}
