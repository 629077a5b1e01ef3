package io.streamforge.operator;

import io.streamforge.function.Predicate;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends each record to the first branch that takes it. */
@Specialised
public final class BranchOperator implements Operator {
  private final @Nullable Predicate<Object, Object>[] predicates;
  private final Output[] outputs;
  private final NodeCounters counters;
  private final NodeCounters.Dropped unmatched;

  /** Works for one task. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public BranchOperator(List<Node.Branch> branches, OperatorContext context) {
    predicates = new Predicate[branches.size()];
    outputs = new Output[branches.size()];
    for (int i = 0; i < outputs.length; i++) {
      predicates[i] = (Predicate<Object, Object>) branches.get(i).predicate();
      outputs[i] = context.output(branches.get(i).name());
    }
    counters = context.counters();
    unmatched = counters.dropped("no branch takes it");
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    for (int i = 0; i < outputs.length; i++) {
      Predicate<Object, Object> predicate = predicates[i];
      if (predicate == null || predicate.test(Values.cast(key), Values.cast(value))) {
        counters.processed++;
        outputs[i].process(key, value, timestampMillis, headers);
        return;
      }
    }
    unmatched.count++;
  }
}
