package io.streamforge.operator.table;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.Node.TableOperation;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import java.util.function.Supplier;

/** Makes the operator of a node of a table. */
@Specialised
public final class TableOperators {
  private TableOperators() {}

  /** The one for what the node does; {@code keyKind} is that of the keys that it emits. */
  public static Operator create(
      Node.TableNode node, OperatorContext context, Supplier<KeyKind<Object>> keyKind) {
    TableOperation operation = node.operation();
    if (operation instanceof TableOperation.Latest latest) {
      return new LatestOperator(latest, context);
    } else if (operation instanceof TableOperation.Filter filter) {
      return new TableFilterOperator(Values.cast(filter.predicate()), filter.negated(), context);
    } else if (operation instanceof TableOperation.MapValues map) {
      return new TableMapOperator(mapper(map), context);
    } else if (operation instanceof TableOperation.GroupBy groupBy) {
      return new RegroupOperator(Values.cast(groupBy.selector()), keyKind.get(), context);
    } else if (operation instanceof TableOperation.Aggregate aggregate) {
      return new TableAggregateOperator(
          Groups.of(Values.cast(aggregate.aggregation().aggregator()), context), context);
    }
    return new ToStreamOperator(context);
  }

  private static KeyValueMapper<Object, Object, Object> mapper(TableOperation.MapValues map) {
    if (map.keyedMapper() != null) {
      return Values.cast(map.keyedMapper());
    }
    ValueMapper<Object, Object> ofValue = Values.cast(map.mapper());
    return (key, value) -> ofValue.apply(value);
  }
}
