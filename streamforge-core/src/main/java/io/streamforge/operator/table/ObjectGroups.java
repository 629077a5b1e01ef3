package io.streamforge.operator.table;

import io.streamforge.function.Aggregator;
import io.streamforge.graph.QueriedState;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import org.jspecify.annotations.Nullable;

/** Accumulators as objects that the aggregator makes. */
@Specialised
final class ObjectGroups implements Groups {
  /** An accumulator and the number of its rows. Changed in place. */
  @Specialised
  public static final class Group {
    /** Of the rows. */
    public Object accumulator;

    /** At least 1 between two changes. */
    public long rows;

    /** Of so many rows. */
    public Group(Object accumulator, long rows) {
      this.accumulator = accumulator;
      this.rows = rows;
    }
  }

  private final Aggregator<Object, Object, Object> aggregator;
  private final KeyedTable<Group> table;

  ObjectGroups(Aggregator<Object, Object, Object> aggregator, OperatorContext context) {
    this.aggregator = aggregator;
    this.table =
        context
            .states()
            .table(
                StateDescriptor.of(
                    QueriedState.AGGREGATE, form(aggregator.accumulatorForm(context.valueForm()))));
  }

  private static Inferred form(Inferred accumulators) {
    if (!(accumulators instanceof Inferred.Found found)) {
      return accumulators;
    }
    Serde<Object> serde = Values.cast(found.serde());
    return new Inferred.Found(
        Serdes.<Group, KeyValue<Long, Object>>mapped(
            "group of " + serde.name(),
            Serdes.keyValue(Serdes.longs(), serde),
            group -> KeyValue.of(group.rows, group.accumulator),
            pair -> new Group(pair.value(), pair.key())));
  }

  @Override
  public @Nullable Object result(Object key, long hash) throws Exception {
    Group group = table.read(key, hash);
    return group == null ? null : aggregator.result(group.accumulator);
  }

  @Override
  public void change(Object key, long hash, @Nullable Object before, @Nullable Object after)
      throws Exception {
    Group group = table.get(key, hash);
    if (group == null) {
      group = new Group(aggregator.create(), 0);
      table.put(key, hash, group);
    }
    if (before != null) {
      group.rows--;
      group.accumulator =
          group.rows <= 0
              ? aggregator.create()
              : aggregator.subtract(group.accumulator, aggregator.add(aggregator.create(), before));
    }
    if (after != null) {
      group.rows++;
      group.accumulator = aggregator.add(group.accumulator, after);
    }
    if (group.rows <= 0) {
      table.remove(key, hash);
    }
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }
}
