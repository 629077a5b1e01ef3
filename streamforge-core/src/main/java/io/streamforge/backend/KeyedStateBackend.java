package io.streamforge.backend;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.NodeClasses;

/** Where keyed state lives. Opening and closing are thread-safe. */
public interface KeyedStateBackend extends AutoCloseable {
  /**
   * The states of a node in one task.
   *
   * @param classes where a backend gets the node's own copies of its specialised classes
   */
  TaskStates open(NodeClasses classes, Opening opening);

  /**
   * Lets go of all that the backend holds. States that it has opened may still be in the hands of a
   * task that does not stop: whatever such a task calls either works or throws.
   */
  @Override
  default void close() {}

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
