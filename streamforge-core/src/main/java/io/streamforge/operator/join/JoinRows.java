package io.streamforge.operator.join;

import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;

/** What a join keeps for one key: the rows of both sides that may still be needed. */
@Specialised
public final class JoinRows {
  /** No timer. */
  public static final long UNARMED = Timestamps.MAX;

  /** Index of the left side. */
  public static final int LEFT = 0;

  /** Index of the right side. */
  public static final int RIGHT = 1;

  private final Rows left;
  private final Rows right;

  /** Windows that end at this time or before have been closed for the key. */
  public long closedMillis;

  /** The time of the key's timer, which is never behind the time when something is to be done. */
  public long armedMillis = UNARMED;

  /** No rows. */
  public JoinRows(long closedMillis) {
    this(closedMillis, new Rows(), new Rows());
  }

  /** These rows. */
  public JoinRows(long closedMillis, Rows left, Rows right) {
    this.closedMillis = closedMillis;
    this.left = left;
    this.right = right;
  }

  /** The rows of a side. */
  public Rows of(int side) {
    return side == LEFT ? left : right;
  }

  /** The rows of the other side. */
  public Rows opposite(int side) {
    return side == LEFT ? right : left;
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return left.size() == 0 && right.size() == 0;
  }

  /** Time of the earliest row; there is one. */
  public long earliestMillis() {
    if (left.size() == 0) {
      return right.time(0);
    }
    return right.size() == 0 ? left.time(0) : Math.min(left.time(0), right.time(0));
  }
}
