package io.streamforge.backend;

import io.streamforge.state.KeyedStates;

/** The keyed state of one node in one task, as its host sees it. Used by the task's thread only. */
public interface TaskStates extends KeyedStates {
  /**
   * The state as it is now, to be written while the task goes on. One snapshot at a time: the last
   * one has been confirmed or abandoned. Only where the states were opened as checkpointed.
   */
  KeyedSnapshot snapshot();
}
