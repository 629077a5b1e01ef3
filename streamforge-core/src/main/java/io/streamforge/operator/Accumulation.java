package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ColumnAggregator;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/** How the accumulators of one aggregation are kept: as objects, or as longs side by side. */
@Specialised
public interface Accumulation {
  /** In the form that suits the aggregator. */
  static Accumulation of(Aggregator<Object, Object, Object> aggregator, OperatorContext context) {
    ColumnAggregator<Object, Object> columnar = aggregator.columnar();
    return columnar == null
        ? new ObjectAccumulation(
            aggregator, aggregator.accumulatorForm(context.valueForm()), context.states())
        : new ColumnAccumulation(columnar, context.states());
  }

  /** The table of a state. */
  Table table(String state);

  /** The table of a state that belongs to a slice; {@link KeyedStates#drop} forgets it. */
  Table table(String state, Window slice);

  /** As {@link #table(String, Window)}, of a state that can be made again from others. */
  Table derivedTable(String state, Window slice);

  /**
   * Totals over several tables, which can be made again from them; null when the aggregator does
   * not subtract.
   */
  @Nullable Totals totals(String state);

  /**
   * The result of what all tables together know of a key, of which one at least knows something.
   */
  Object resultOver(Iterable<Table> tables, Object key, long hash) throws Exception;

  /** One accumulator a key. */
  interface Table {
    /** Adds a value to the accumulator of the key, a new one when there is none. */
    void add(Object key, long hash, @Nullable Object value) throws Exception;

    /** Adds a value; the result after it. */
    Object addAndGet(Object key, long hash, @Nullable Object value) throws Exception;

    /** The result of a key; null when there is no accumulator. */
    @Nullable Object get(Object key, long hash) throws Exception;

    /** The accumulator of a key; null when there is none. See {@link Walk#part}. */
    @Nullable Part part(Object key, long hash);

    /** Merges an entry of another table, which is not changed, into the accumulator of its key. */
    void merge(Walk entry) throws Exception;

    /** Merges what {@link Walk#part} of a table elsewhere has given. */
    void merge(Object key, long hash, Part part) throws Exception;

    /** Number of entries. */
    int size();

    /** See {@link io.streamforge.state.ColumnTable#touch}. */
    void touch(long[] hashes, int from, int to);

    /** A walk over all entries; while it lasts no key may come or go. */
    Walk walk();
  }

  /** A resumable walk over the entries of a table. */
  interface Walk {
    /** Goes to the next entry; false when there is none. */
    boolean next();

    /** Key of the entry. */
    Object key();

    /** Hash of its key. */
    long hash();

    /** Result of its accumulator. */
    Object result() throws Exception;

    /**
     * Its accumulator, to be merged elsewhere. While the table is in use, that must happen before
     * the entry changes, and the part must not be changed.
     */
    Part part();
  }

  /** What several tables add up to, by key; a key is there as long as one of them knows it. */
  interface Totals {
    /** Adds an entry of a table that counts from now on. */
    void add(Walk entry) throws Exception;

    /** Takes away an entry of a table that counts no more, and is as it was when it was added. */
    void subtract(Walk entry) throws Exception;

    /** As {@link #add(Walk)} for one key of a table; no effect when the table does not know it. */
    void add(Table table, Object key, long hash) throws Exception;

    /** As {@link #subtract(Walk)} for one key of a table; no effect when it does not know it. */
    void subtract(Table table, Object key, long hash) throws Exception;

    /** A walk over all totals. */
    Walk walk();
  }
}
