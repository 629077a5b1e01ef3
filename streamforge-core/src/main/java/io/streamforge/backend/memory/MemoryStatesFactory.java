package io.streamforge.backend.memory;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.TaskStates;
import io.streamforge.specialise.Specialised;

/** Makes {@link MemoryKeyedStates}. */
@Specialised
public final class MemoryStatesFactory implements MemoryBackend.Factory {
  @Override
  public TaskStates open(KeyedStateBackend.Opening opening) {
    return new MemoryKeyedStates(opening);
  }
}
