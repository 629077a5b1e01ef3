package io.streamforge.backend.memory;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.TaskStates;
import io.streamforge.specialise.NodeClasses;

/** Keeps all state on the heap. */
public final class MemoryBackend implements KeyedStateBackend {
  /** Makes the states of a node in one task; what a node's own copy is made as. */
  public interface Factory {
    /** As {@link KeyedStateBackend#open}. */
    TaskStates open(Opening opening);
  }

  @Override
  public TaskStates open(NodeClasses classes, Opening opening) {
    return classes.instance(opening.node(), Factory.class, MemoryStatesFactory.class).open(opening);
  }
}
