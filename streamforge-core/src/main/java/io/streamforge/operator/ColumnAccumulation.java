package io.streamforge.operator;

import io.streamforge.function.ColumnAggregator;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnCursor;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Accumulators as longs in the columns of tables. */
@Specialised
final class ColumnAccumulation implements Accumulation {
  private final ColumnAggregator<Object, Object> aggregator;
  private final KeyedStates states;
  private final int columns;
  private final long[] scratch;

  ColumnAccumulation(ColumnAggregator<Object, Object> aggregator, KeyedStates states) {
    this.aggregator = aggregator;
    this.states = states;
    this.columns = aggregator.columns();
    this.scratch = new long[columns];
  }

  @Override
  public Table table(String state) {
    return of(states.columns(ColumnsDescriptor.of(state, columns, aggregator.form())));
  }

  @Override
  public Table table(String state, Window slice) {
    return of(states.columns(ColumnsDescriptor.of(state, columns, aggregator.form()), slice));
  }

  private Columns of(ColumnTable table) {
    return aggregator instanceof GuardedAggregator.Columns
        ? new RejectingColumns(aggregator, table)
        : new Columns(aggregator, table);
  }

  @Override
  public Table derivedTable(String state, Window slice) {
    return new Columns(
        aggregator, states.columns(ColumnsDescriptor.derived(state, columns), slice));
  }

  @Override
  public @Nullable Totals totals(String state) {
    return aggregator.subtractable()
        ? new ColumnTotals(
            aggregator, states.columns(ColumnsDescriptor.derived(state, columns + 1)))
        : null;
  }

  @Override
  public Object resultOver(Iterable<Table> tables, Object key, long hash) throws Exception {
    Arrays.fill(scratch, 0);
    for (Table each : tables) {
      ColumnTable table = ((Columns) each).table;
      int at = table.seek(key, hash);
      if (at >= 0) {
        aggregator.mergeAt(scratch, 0, table.columns(), at);
      }
    }
    return aggregator.resultAt(scratch, 0);
  }

  private static Part partAt(ColumnTable table, int at, ColumnAggregator<?, ?> aggregator) {
    return new Part(Arrays.copyOfRange(table.columns(), at, at + aggregator.columns()));
  }

  /** Columns in which a key is not left behind of which the first value was rejected. */
  private static final class RejectingColumns extends Columns {
    RejectingColumns(ColumnAggregator<Object, Object> aggregator, ColumnTable table) {
      super(aggregator, table);
    }

    @Override
    public void add(Object key, long hash, @Nullable Object value) throws Exception {
      boolean known = table.seek(key, hash) >= 0;
      try {
        super.add(key, hash, value);
      } catch (Rejected e) {
        forget(key, hash, known);
        throw e;
      }
    }

    @Override
    public Object addAndGet(Object key, long hash, @Nullable Object value) throws Exception {
      boolean known = table.seek(key, hash) >= 0;
      try {
        return super.addAndGet(key, hash, value);
      } catch (Rejected e) {
        forget(key, hash, known);
        throw e;
      }
    }

    private void forget(Object key, long hash, boolean known) {
      if (!known) {
        table.remove(key, hash);
      }
    }
  }

  private static class Columns implements Table {
    private final ColumnAggregator<Object, Object> aggregator;
    final ColumnTable table;

    Columns(ColumnAggregator<Object, Object> aggregator, ColumnTable table) {
      this.aggregator = aggregator;
      this.table = table;
    }

    @Override
    public void add(Object key, long hash, @Nullable Object value) throws Exception {
      int at = table.locate(key, hash);
      aggregator.addAt(table.columns(), at, Values.cast(value));
    }

    @Override
    public Object addAndGet(Object key, long hash, @Nullable Object value) throws Exception {
      int at = table.locate(key, hash);
      long[] columns = table.columns();
      aggregator.addAt(columns, at, Values.cast(value));
      return aggregator.resultAt(columns, at);
    }

    @Override
    public @Nullable Object get(Object key, long hash) throws Exception {
      int at = table.seek(key, hash);
      return at < 0 ? null : aggregator.resultAt(table.columns(), at);
    }

    @Override
    public @Nullable Part part(Object key, long hash) {
      int at = table.seek(key, hash);
      return at < 0 ? null : partAt(table, at, aggregator);
    }

    @Override
    public void merge(Walk entry) throws Exception {
      ColumnWalk from = (ColumnWalk) entry;
      int at = table.locate(from.key(), from.hash());
      aggregator.mergeAt(table.columns(), at, from.table.columns(), from.cursor.position());
    }

    @Override
    public void merge(Object key, long hash, Part part) throws Exception {
      int at = table.locate(key, hash);
      aggregator.mergeAt(table.columns(), at, (long[]) part.accumulator(), 0);
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
      return new ColumnWalk(aggregator, table);
    }
  }

  private static final class ColumnWalk implements Walk {
    private final ColumnAggregator<Object, Object> aggregator;
    private final ColumnTable table;
    private final ColumnCursor cursor;

    ColumnWalk(ColumnAggregator<Object, Object> aggregator, ColumnTable table) {
      this.aggregator = aggregator;
      this.table = table;
      this.cursor = table.cursor();
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
      return aggregator.resultAt(table.columns(), cursor.position());
    }

    @Override
    public Part part() {
      return partAt(table, cursor.position(), aggregator);
    }
  }

  /** Behind the columns of a total, one that counts the tables that know the key. */
  private static final class ColumnTotals implements Totals {
    private final ColumnAggregator<Object, Object> aggregator;
    private final ColumnTable totals;
    private final int counter;

    ColumnTotals(ColumnAggregator<Object, Object> aggregator, ColumnTable totals) {
      this.aggregator = aggregator;
      this.totals = totals;
      this.counter = aggregator.columns();
    }

    @Override
    public void add(Walk entry) throws Exception {
      ColumnWalk from = (ColumnWalk) entry;
      add(from.table, from.cursor.position(), from.key(), from.hash());
    }

    @Override
    public void subtract(Walk entry) throws Exception {
      ColumnWalk from = (ColumnWalk) entry;
      subtract(from.table, from.cursor.position(), from.key(), from.hash());
    }

    @Override
    public void add(Table table, Object key, long hash) throws Exception {
      ColumnTable from = ((Columns) table).table;
      int at = from.seek(key, hash);
      if (at >= 0) {
        add(from, at, key, hash);
      }
    }

    @Override
    public void subtract(Table table, Object key, long hash) throws Exception {
      ColumnTable from = ((Columns) table).table;
      int at = from.seek(key, hash);
      if (at >= 0) {
        subtract(from, at, key, hash);
      }
    }

    private void add(ColumnTable from, int fromAt, Object key, long hash) throws Exception {
      int at = totals.locate(key, hash);
      long[] columns = totals.columns();
      aggregator.mergeAt(columns, at, from.columns(), fromAt);
      columns[at + counter]++;
    }

    private void subtract(ColumnTable from, int fromAt, Object key, long hash) throws Exception {
      int at = totals.locate(key, hash);
      long[] columns = totals.columns();
      if (--columns[at + counter] == 0) {
        totals.remove(key, hash);
      } else {
        aggregator.subtractAt(columns, at, from.columns(), fromAt);
      }
    }

    @Override
    public Walk walk() {
      return new ColumnWalk(aggregator, totals);
    }
  }
}
