package io.streamforge.operator;

import org.jspecify.annotations.Nullable;

/** Casts between what the engine carries and what the user's functions are declared with. */
public final class Values {
  private Values() {}

  /**
   * The object as whatever the context asks for. Whether it may be null is between the functions of
   * the topology; the engine passes it through.
   */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  public static <T> T cast(@Nullable Object value) {
    return (T) value;
  }
}
