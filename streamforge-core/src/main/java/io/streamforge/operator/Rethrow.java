package io.streamforge.operator;

import io.streamforge.specialise.Specialised;

/** Carries checked exceptions through calls that do not declare them. */
@Specialised
final class Rethrow {
  private Rethrow() {}

  /** Throws the exception itself; the return type only helps the caller's flow. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Exception> RuntimeException unchecked(Exception e) throws E {
    throw (E) e;
  }

  /** As {@link #unchecked}, of whatever was thrown. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> RuntimeException any(Throwable e) throws E {
    throw (E) e;
  }
}
