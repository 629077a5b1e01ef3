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
}
