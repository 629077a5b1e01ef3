package io.streamforge.backend;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.NodeClasses;

/** Where keyed state lives. */
public interface KeyedStateBackend {
  /**
   * The states of a node in one task.
   *
   * @param classes where a backend gets the node's own copies of its specialised classes
   */
  TaskStates open(NodeClasses classes, Opening opening);

  /**
   * What is opened.
   *
   * @param node name of the node
   * @param keyKind identity of the node's keys
   * @param firstGroup first key group of the task
   * @param endGroup one past the last
   * @param groups number of key groups of the job
   * @param checkpointed whether snapshots will be taken
   * @param restored what tables begin with
   */
  record Opening(
      String node,
      KeyKind<Object> keyKind,
      int firstGroup,
      int endGroup,
      int groups,
      boolean checkpointed,
      RestoredStates restored) {
    /** Of a task that has no state yet, and of which no snapshots are taken. */
    public static Opening fresh(
        String node, KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
      return new Opening(node, keyKind, firstGroup, endGroup, groups, false, RestoredStates.NONE);
    }
  }
}
