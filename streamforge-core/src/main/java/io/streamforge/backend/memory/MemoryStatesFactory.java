package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;

/** Makes {@link MemoryKeyedStates}. */
@Specialised
public final class MemoryStatesFactory implements MemoryBackend.Factory {
  @Override
  public KeyedStates open(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
    return new MemoryKeyedStates(keyKind, firstGroup, endGroup, groups);
  }
}
