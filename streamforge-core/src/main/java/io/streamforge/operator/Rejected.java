package io.streamforge.operator;

import io.streamforge.specialise.Specialised;

/**
 * Brings what a user's function has thrown from the call of the function to the {@link
 * GuardedOperator} around the operator; nothing in between looks at it, unless it has something to
 * put right. So the one who catches it knows that it was the function that failed, for the record
 * in hand, and neither the engine nor anything downstream.
 */
@Specialised
public final class Rejected extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Guard guard;
  private final Exception failure;

  Rejected(Guard guard, Exception failure) {
    super(failure.getClass().getName(), failure, false, false);
    this.guard = guard;
    this.failure = failure;
  }

  /** Whether a function under this guard has failed. */
  boolean isOf(Guard other) {
    return guard == other;
  }

  /** What it has thrown. */
  Exception failure() {
    return failure;
  }
}
