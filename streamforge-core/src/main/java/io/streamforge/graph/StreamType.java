package io.streamforge.graph;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the types of a stream; null where nothing is.
 *
 * @param key type of the keys
 * @param value type of the values
 */
public record StreamType(@Nullable Type key, @Nullable Type value) {
  /** Nothing is known. */
  public static final StreamType UNKNOWN = new StreamType(null, null);
}
