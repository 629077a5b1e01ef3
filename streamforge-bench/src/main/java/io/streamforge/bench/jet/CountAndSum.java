package io.streamforge.bench.jet;

import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import java.io.Serializable;

/** What is known of a key in a window: one mutable accumulator. */
final class CountAndSum implements Serializable {
  private static final long serialVersionUID = 1;

  long count;
  long sum;

  static AggregateOperation1<Click, CountAndSum, CountAndSum> aggregate() {
    return AggregateOperation.withCreate(CountAndSum::new)
        .andAccumulate(CountAndSum::add)
        .andCombine(CountAndSum::combine)
        .andDeduct(CountAndSum::deduct)
        .andExportFinish(CountAndSum::copy);
  }

  private void add(Click click) {
    count++;
    sum += click.amount();
  }

  private void combine(CountAndSum other) {
    count += other.count;
    sum += other.sum;
  }

  private void deduct(CountAndSum other) {
    count -= other.count;
    sum -= other.sum;
  }

  private CountAndSum copy() {
    CountAndSum copy = new CountAndSum();
    copy.combine(this);
    return copy;
  }

  @Override
  public boolean equals(Object other) {
    // Jet drops an accumulator that has become equal to an empty one.
    return other instanceof CountAndSum that && count == that.count && sum == that.sum;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count + 31 * sum);
  }
}
