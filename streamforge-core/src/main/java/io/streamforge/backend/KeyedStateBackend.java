package io.streamforge.backend;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.state.KeyedStates;

/** Where keyed state lives. */
public interface KeyedStateBackend {
  /**
   * The states of a node in one task, which owns the key groups {@code firstGroup} to {@code
   * endGroup} - 1 of {@code groups}.
   *
   * @param classes where a backend gets the node's own copies of its specialised classes
   * @param keyKind identity of the node's keys
   */
  KeyedStates open(
      String node,
      NodeClasses classes,
      KeyKind<Object> keyKind,
      int firstGroup,
      int endGroup,
      int groups);
}
