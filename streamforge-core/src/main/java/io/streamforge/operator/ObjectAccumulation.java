package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.serde.Inferred;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/** Accumulators as objects that the aggregator makes. */
@Specialised
final class ObjectAccumulation implements Accumulation {
  private final Aggregator<Object, Object, Object> aggregator;
  private final Inferred form;
  private final KeyedStates states;

  ObjectAccumulation(
      Aggregator<Object, Object, Object> aggregator, Inferred form, KeyedStates states) {
    this.aggregator = aggregator;
    this.form = form;
    this.states = states;
  }

  @Override
  public Table table(String state) {
    return new Objects(aggregator, states.table(StateDescriptor.of(state, form)));
  }

  @Override
  public Table table(String state, Window slice) {
    return new Objects(aggregator, states.table(StateDescriptor.of(state, form), slice));
  }

  @Override
  public Table derivedTable(String state, Window slice) {
    return new Objects(aggregator, states.table(StateDescriptor.derived(state), slice));
  }

  @Override
  public @Nullable Totals totals(String state) {
    return aggregator.subtractable()
        ? new ObjectTotals(aggregator, states.table(StateDescriptor.derived(state)))
        : null;
  }

  @Override
  public Object resultOver(Iterable<Table> tables, Object key, long hash) throws Exception {
    Object all = aggregator.create();
    for (Table each : tables) {
      Object part = ((Objects) each).table.read(key, hash);
      if (part != null) {
        all = aggregator.merge(all, part);
      }
    }
    return aggregator.result(all);
  }

  private static final class Objects implements Table {
    private final Aggregator<Object, Object, Object> aggregator;
    private final KeyedTable<Object> table;

    Objects(Aggregator<Object, Object, Object> aggregator, KeyedTable<Object> table) {
      this.aggregator = aggregator;
      this.table = table;
    }

    private Object added(Object key, long hash, @Nullable Object value) throws Exception {
      Object before = table.get(key, hash);
      Object after =
          aggregator.add(before == null ? aggregator.create() : before, Values.cast(value));
      if (after != before) {
        table.put(key, hash, after);
      }
      return after;
    }

    @Override
    public void add(Object key, long hash, @Nullable Object value) throws Exception {
      added(key, hash, value);
    }

    @Override
    public Object addAndGet(Object key, long hash, @Nullable Object value) throws Exception {
      return aggregator.result(added(key, hash, value));
    }

    @Override
    public @Nullable Object get(Object key, long hash) throws Exception {
      Object accumulator = table.read(key, hash);
      return accumulator == null ? null : aggregator.result(accumulator);
    }

    @Override
    public @Nullable Part part(Object key, long hash) {
      Object accumulator = table.read(key, hash);
      return accumulator == null ? null : new Part(accumulator);
    }

    @Override
    public void merge(Walk entry) throws Exception {
      ObjectWalk from = (ObjectWalk) entry;
      merge(from.key(), from.hash(), from.cursor.value());
    }

    @Override
    public void merge(Object key, long hash, Part part) throws Exception {
      merge(key, hash, part.accumulator());
    }

    private void merge(Object key, long hash, Object part) throws Exception {
      Object before = table.get(key, hash);
      Object after = aggregator.merge(before == null ? aggregator.create() : before, part);
      if (after != before) {
        table.put(key, hash, after);
      }
    }

    @Override
    public int size() {
      return table.size();
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      table.touch(hashes, from, to);
    }

    @Override
    public Walk walk() {
      return new ObjectWalk(aggregator, table.cursor());
    }
  }

  private static final class ObjectWalk implements Walk {
    private final Aggregator<Object, Object, Object> aggregator;
    private final TableCursor<Object> cursor;

    ObjectWalk(Aggregator<Object, Object, Object> aggregator, TableCursor<Object> cursor) {
      this.aggregator = aggregator;
      this.cursor = cursor;
    }

    @Override
    public boolean next() {
      return cursor.next();
    }

    @Override
    public Object key() {
      return cursor.key();
    }

    @Override
    public long hash() {
      return cursor.hash();
    }

    @Override
    public Object result() throws Exception {
      return aggregator.result(cursor.value());
    }

    @Override
    public Part part() {
      return new Part(cursor.value());
    }
  }

  private static final class ObjectTotals implements Totals {
    /** A total, and how many tables know the key. */
    private static final class Total {
      private Object accumulator;
      private int tables;

      Total(Object accumulator) {
        this.accumulator = accumulator;
      }
    }

    private final Aggregator<Object, Object, Object> aggregator;
    private final KeyedTable<Total> totals;

    ObjectTotals(Aggregator<Object, Object, Object> aggregator, KeyedTable<Total> totals) {
      this.aggregator = aggregator;
      this.totals = totals;
    }

    @Override
    public void add(Walk entry) throws Exception {
      ObjectWalk from = (ObjectWalk) entry;
      add(from.cursor.value(), from.key(), from.hash());
    }

    @Override
    public void subtract(Walk entry) throws Exception {
      ObjectWalk from = (ObjectWalk) entry;
      subtract(from.cursor.value(), from.key(), from.hash());
    }

    @Override
    public void add(Table table, Object key, long hash) throws Exception {
      Object part = ((Objects) table).table.read(key, hash);
      if (part != null) {
        add(part, key, hash);
      }
    }

    @Override
    public void subtract(Table table, Object key, long hash) throws Exception {
      Object part = ((Objects) table).table.read(key, hash);
      if (part != null) {
        subtract(part, key, hash);
      }
    }

    private void add(Object part, Object key, long hash) throws Exception {
      Total total = totals.get(key, hash);
      if (total == null) {
        total = new Total(aggregator.create());
        totals.put(key, hash, total);
      }
      total.accumulator = aggregator.merge(total.accumulator, part);
      total.tables++;
    }

    private void subtract(Object part, Object key, long hash) throws Exception {
      Total total = totals.get(key, hash);
      if (total == null) {
        throw new IllegalStateException("a total without the part that is taken away");
      }
      if (--total.tables == 0) {
        totals.remove(key, hash);
      } else {
        total.accumulator = aggregator.subtract(total.accumulator, part);
      }
    }

    @Override
    public Walk walk() {
      TableCursor<Total> cursor = totals.cursor();
      return new Walk() {
        @Override
        public boolean next() {
          return cursor.next();
        }

        @Override
        public Object key() {
          return cursor.key();
        }

        @Override
        public long hash() {
          return cursor.hash();
        }

        @Override
        public Object result() throws Exception {
          return aggregator.result(cursor.value().accumulator);
        }

        @Override
        public Part part() {
          return new Part(cursor.value().accumulator);
        }
      };
    }
  }
}
