package io.streamforge.operator;

import io.streamforge.specialise.Specialised;
import java.util.Collection;
import java.util.Objects;

/**
 * Elements of a list or fields of a map that expire one by one; the stamp of the whole is the
 * latest of theirs, or later.
 */
@Specialised
final class StampedGroup<C> extends Stamped<C> {
  /** Said of a null. */
  static final String NO_NULL = "null cannot expire";

  private static final int MIN_SIZE = 16;

  /*
   * Looking for what has expired takes a pass over all. It is made when there may be twice as many
   * as the last one has left, which costs each addition two looks; so at most about half of them
   * have expired while there are additions. Without any the whole goes with its latest.
   */
  private int nextPurge = MIN_SIZE;

  private StampedGroup(C value, long stampMillis) {
    super(value, stampMillis);
  }

  /**
   * Of the values in a list or map.
   *
   * @throws NullPointerException when one is null, which only state can have that was stored
   *     without stamps
   */
  static <C> StampedGroup<C> of(C value, Collection<? extends Stamped<?>> members) {
    long latest = Long.MIN_VALUE;
    for (Stamped<?> member : members) {
      latest = Math.max(latest, Objects.requireNonNull(member, NO_NULL).stampMillis);
    }
    return new StampedGroup<>(value, latest);
  }

  /** Something is about to be added: removes what has expired, if it is time to. */
  void adding(Collection<? extends Stamped<?>> members, Expiry expiry) {
    if (members.size() >= nextPurge) {
      members.removeIf(expiry::expired);
      nextPurge = Math.max(MIN_SIZE, 2 * members.size());
    }
  }
}
