package io.streamforge.bench.hand;

import java.util.Arrays;

/**
 * Numbers of each user, found by open addressing: as for any {@code long}, not as for users who
 * happen to be numbered from 0. A user and its numbers lie side by side. At most half full.
 */
final class UserTable {
  private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;
  private static final int FIRST_BITS = 10;

  /** For each slot: the user plus 1, or 0 where there is none, and then its numbers. */
  long[] cells;

  /** Cells of a slot, as a power of two. */
  private final int width;

  private int bits;
  private int size;

  UserTable(int numbers) {
    width = Integer.SIZE - Integer.numberOfLeadingZeros(numbers);
    bits = FIRST_BITS;
    cells = new long[1 << bits + width];
  }

  /** Which of several threads has the user; independent of the slot. */
  static int owner(long user, int threads) {
    return (int) ((user * GOLDEN_GAMMA >>> 16 & 0xFFFF) * threads >>> 16);
  }

  /** Index of the user's cell; zeros follow when it is new. The cells move when the table grows. */
  int find(long user) {
    long[] cells = this.cells;
    int mask = cells.length - 1;
    int at = (int) (user * GOLDEN_GAMMA >>> Long.SIZE - bits) << width;
    for (long found; (found = cells[at]) != user + 1; at = at + (1 << width) & mask) {
      if (found == 0) {
        return added(user, at);
      }
    }
    return at;
  }

  private int added(long user, int at) {
    if (2 * ++size <= 1 << bits) {
      cells[at] = user + 1;
      return at;
    }
    long[] old = cells;
    bits++;
    cells = new long[1 << bits + width];
    size = 1;
    for (int from = 0; from < old.length; from = next(from)) {
      if (old[from] != 0) {
        System.arraycopy(old, from, cells, find(old[from] - 1), 1 << width);
      }
    }
    return find(user);
  }

  /** Index of the cell behind a slot. */
  int next(int at) {
    return at + (1 << width);
  }

  /** Forgets all users. */
  void clear() {
    if (size > 0) {
      Arrays.fill(cells, 0);
      size = 0;
    }
  }
}
