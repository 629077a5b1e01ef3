package io.streamforge.testkit.simulation;

import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the output of a sink has to be when the job has finished. */
@FunctionalInterface
public interface OutputCheck {
  /**
   * What is wrong with it, in a line; null when nothing is.
   *
   * @param shown all that has become visible
   */
  @Nullable String problem(List<Record<Object, Object>> shown);

  /** All these keys and values, in any order, each as often as it is there or oftener. */
  static OutputCheck atLeast(Collection<? extends KeyValue<?, ?>> expected) {
    return shown -> {
      List<Object> lost = new ArrayList<>();
      balance(expected, shown)
          .forEach(
              (pair, count) -> {
                if (count > 0) {
                  lost.add(pair);
                }
              });
      return lost.isEmpty() ? null : "lost " + lost;
    };
  }

  /** Exactly these keys and values, in any order, each as often as it is there. */
  static OutputCheck exactly(Collection<? extends KeyValue<?, ?>> expected) {
    return shown -> {
      Map<Object, Integer> balance = balance(expected, shown);
      List<Object> lost = new ArrayList<>();
      List<Object> tooMany = new ArrayList<>();
      balance.forEach(
          (pair, count) -> {
            if (count != 0) {
              (count > 0 ? lost : tooMany).add(pair);
            }
          });
      return lost.isEmpty() && tooMany.isEmpty() ? null : "lost " + lost + ", too many " + tooMany;
    };
  }

  /** How often each is missing; less than 0: how often it is too many. */
  private static Map<Object, Integer> balance(
      Collection<? extends KeyValue<?, ?>> expected, List<Record<Object, Object>> shown) {
    Map<Object, Integer> balance = new HashMap<>();
    expected.forEach(pair -> balance.merge(pair, 1, Integer::sum));
    shown.forEach(
        record -> balance.merge(KeyValue.of(record.key(), record.value()), -1, Integer::sum));
    return balance;
  }
}
