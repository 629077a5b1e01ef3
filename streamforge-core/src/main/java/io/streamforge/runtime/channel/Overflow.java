package io.streamforge.runtime.channel;

import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Records that an operator has emitted although there was no room, in order. Up to a limit they are
 * held in memory, beyond it in a temporary file.
 */
public interface Overflow extends AutoCloseable {
  /** Appends a record. */
  void add(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers);

  /** Whether there is none. */
  boolean isEmpty();

  /** The oldest record; there is one. */
  Held peek();

  /** Removes the oldest record. */
  void remove();

  @Override
  void close();

  /** A record in its parts. */
  record Held(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers) {}
}
