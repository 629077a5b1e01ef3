package io.streamforge.operator;

import io.streamforge.specialise.Specialised;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How each state of a processor is read for a query, beside the handles of the processor. */
@Specialised
final class StateReaders {
  /** Reads one state. */
  interface Reader {
    /** As {@link Operator#read}. */
    @Nullable Object read(Object key, long hash, long eventTimeMillis);
  }

  private final Map<String, Reader> readers = new HashMap<>();

  void add(String state, Reader reader) {
    readers.put(state, reader);
  }

  /** As {@link Operator#read}. */
  @Nullable Object read(String state, Object key, long hash, long eventTimeMillis) {
    Reader reader = readers.get(state);
    if (reader == null) {
      throw new IllegalStateException("there is no state '" + state + "' to read");
    }
    return reader.read(key, hash, eventTimeMillis);
  }
}
