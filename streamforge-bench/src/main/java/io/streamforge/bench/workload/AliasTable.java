package io.streamforge.bench.workload;

/**
 * Draws from any distribution with one look into a table (Walker's alias method, built as by Vose):
 * a slot, chosen uniformly, holds its own number up to a threshold and one other above it. An entry
 * is the threshold in the upper half and the other number in the lower.
 */
final class AliasTable {
  private static final double SCALE = 1L << 31;

  private AliasTable() {}

  /** Of ranks scattered over the numbers, so that no range of numbers has all the frequent ones. */
  static long[] zipf(int size, double exponent) {
    double[] weights = new double[size];
    double total = 0;
    for (int i = 0; i < size; i++) {
      double weight = Math.pow(i + 1, -exponent);
      weights[(int) (i * 7_919L % size)] = weight;
      total += weight;
    }
    for (int i = 0; i < size; i++) {
      weights[i] *= size / total;
    }
    return of(weights);
  }

  /** The weights have a mean of 1, and are used up. */
  private static long[] of(double[] weights) {
    int size = weights.length;
    int[] small = new int[size];
    int[] large = new int[size];
    int smalls = 0;
    int larges = 0;
    for (int i = 0; i < size; i++) {
      if (weights[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    long[] table = new long[size];
    while (smalls > 0 && larges > 0) {
      int less = small[--smalls];
      int more = large[larges - 1];
      table[less] = entry(weights[less], more);
      weights[more] -= 1 - weights[less];
      if (weights[more] < 1) {
        larges--;
        small[smalls++] = more;
      }
    }
    while (larges > 0) {
      int slot = large[--larges];
      table[slot] = entry(1, slot);
    }
    while (smalls > 0) {
      int slot = small[--smalls];
      table[slot] = entry(1, slot);
    }
    return table;
  }

  private static long entry(double threshold, int other) {
    return Math.min((long) (threshold * SCALE), Integer.MAX_VALUE) << 32 | other;
  }

  static long draw(long[] table, long mixed) {
    int slot = (int) Mix.below(mixed, table.length);
    long entry = table[slot];
    int fraction = (int) Mix.of(mixed) >>> 1;
    // −1 when the fraction is below the threshold: a branch would be mispredicted often.
    int own = fraction - (int) (entry >>> 32) >> 31;
    return slot & own | (int) entry & ~own;
  }
}
