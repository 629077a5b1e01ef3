package io.streamforge.function;

import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;

/**
 * A sum of doubles that is nearly exact whatever the order, and whose intermediate sums do not
 * overflow.
 *
 * <p>Public because hosts hold it as an accumulator; of no use otherwise.
 */
public final class DoubleSum {
  /*
   * Neumaier's compensated summation, twice. Values of 2^960 and more are summed apart, divided by
   * 2^64, which is exact for them; so neither sum overflows before 2^63 values have been added. What
   * is not finite is summed apart as well, since it would turn the compensations into NaN.
   */
  private static final double LARGE = 0x1p960;
  private static final double DOWN = 0x1p-64;
  private static final double UP = 0x1p64;

  static final Serde<DoubleSum> SERDE =
      Serdes.mapped("double sum", Serdes.longArrays(), DoubleSum::stored, DoubleSum::restored);

  private double small;
  private double smallRest;
  private double large;
  private double largeRest;
  private double notFinite;
  private long count;

  /** Adds a value. */
  public void add(double value) {
    count++;
    if (!Double.isFinite(value)) {
      notFinite += value;
    } else if (Math.abs(value) < LARGE) {
      addSmall(value);
    } else {
      addLarge(value * DOWN);
    }
  }

  /** Adds all values of another sum, which is not changed. */
  public void add(DoubleSum other) {
    count += other.count;
    notFinite += other.notFinite;
    addSmall(other.small);
    smallRest += other.smallRest;
    addLarge(other.large);
    largeRest += other.largeRest;
  }

  private void addSmall(double value) {
    double sum = small + value;
    smallRest += Math.abs(small) >= Math.abs(value) ? (small - sum) + value : (value - sum) + small;
    small = sum;
  }

  private void addLarge(double value) {
    double sum = large + value;
    largeRest += Math.abs(large) >= Math.abs(value) ? (large - sum) + value : (value - sum) + large;
    large = sum;
  }

  /** How many values have been added. */
  public long count() {
    return count;
  }

  /** The sum; infinite when it leaves the range of a double. */
  public double sum() {
    if (notFinite != 0) {
      return notFinite;
    }
    double high = large + largeRest;
    return high == 0 ? small + smallRest : (high + (small + smallRest) * DOWN) * UP;
  }

  /** The mean; finite when all values are; NaN when there are none. */
  public double mean() {
    if (notFinite != 0) {
      return notFinite;
    }
    double high = large + largeRest;
    if (high == 0) {
      return (small + smallRest) / count;
    }
    double mean = (high + (small + smallRest) * DOWN) / count * UP;
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, mean));
  }

  DoubleSum copy() {
    return restored(stored());
  }

  private long[] stored() {
    return new long[] {
      Double.doubleToRawLongBits(small),
      Double.doubleToRawLongBits(smallRest),
      Double.doubleToRawLongBits(large),
      Double.doubleToRawLongBits(largeRest),
      Double.doubleToRawLongBits(notFinite),
      count
    };
  }

  private static DoubleSum restored(long[] stored) {
    DoubleSum sum = new DoubleSum();
    sum.small = Double.longBitsToDouble(stored[0]);
    sum.smallRest = Double.longBitsToDouble(stored[1]);
    sum.large = Double.longBitsToDouble(stored[2]);
    sum.largeRest = Double.longBitsToDouble(stored[3]);
    sum.notFinite = Double.longBitsToDouble(stored[4]);
    sum.count = stored[5];
    return sum;
  }

  @Override
  public String toString() {
    return sum() + " of " + count;
  }
}
