package io.streamforge.operator.window;

import io.streamforge.function.Aggregator;
import io.streamforge.operator.Accumulation;
import io.streamforge.operator.Part;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * Two stacks a key, for aggregates that do not subtract: a slice is merged three times, and a
 * result takes two merges, however many windows contain the slice.
 */
@Specialised
final class TwoStacks implements Gathering {
  /*
   * A queue made of two stacks (Okasaki; for aggregates Tangwongsan, Hirzel and Schneider, DABA,
   * 2017). Slices from `pivot` on are in the back: a key has one accumulator for all of them. Those
   * before are in the front: for each slice that knows the key, what it and all later ones of the
   * front add up to, the earliest on top. So a window is front and back; a slice that enters is
   * merged into the back; one that leaves is popped.
   *
   *      window:  [ a  b  c | d  e ]     front of a key: abc, bc, c     back: de
   *                        pivot
   *
   * When a slice of the back leaves, all is made anew from the slices that stay: they become the
   * front, the back is empty. That is bounded, as all is, by a step for each entry of a slice. What
   * is kept is no more than an accumulator for each entry of a slice. Merges keep the order of
   * time, and go into accumulators of the stacks' own, so slices are only read.
   */
  private static final String STATE = "stacks";

  /** There is one table at a time. */
  private static final Window TABLE = Window.GLOBAL;

  /** What a slice of the front and those after it add up to. */
  private static final class Suffix {
    final Object accumulator;
    final @Nullable Suffix after;

    Suffix(Object accumulator, @Nullable Suffix after) {
      this.accumulator = accumulator;
      this.after = after;
    }
  }

  /** The stacks of a key, one of which at least is not empty. */
  private static final class Stacks {
    @Nullable Suffix front;
    @Nullable Object back;
  }

  private final Aggregator<Object, Object, Object> aggregator;
  private final KeyedStates states;
  private final WindowAssigner assigner;
  private final Slices slices;
  private final SliceWalk walk = new SliceWalk();
  private final SliceWalk.Step append = e -> append(e.part(), e.key(), e.hash());
  private final SliceWalk.Step push = e -> push(e.part(), e.key(), e.hash());
  private final SliceWalk.Step pop = e -> pop(e.key(), e.hash());
  private SliceWalk.Step forget = pop;

  /** Null when no key has stacks. */
  private @Nullable KeyedTable<Stacks> table;

  /** Where the slices begin that are in no stack yet; those before are, as long as needed. */
  private long gatheredTo = Timestamps.MIN;

  private long pivot = Timestamps.MIN;

  /**
   * Works with accumulators as {@link Accumulation.Walk#part} hands them out, which is what the
   * aggregator takes.
   */
  TwoStacks(
      Aggregator<Object, Object, Object> aggregator,
      KeyedStates states,
      WindowAssigner assigner,
      Slices slices) {
    this.aggregator = aggregator;
    this.states = states;
    this.assigner = assigner;
    this.slices = slices;
  }

  private KeyedTable<Stacks> table() {
    KeyedTable<Stacks> present = table;
    if (present == null) {
      present = states.table(StateDescriptor.derived(STATE), TABLE);
      table = present;
    }
    return present;
  }

  private void drop() {
    if (table != null) {
      table = null;
      states.drop(STATE, TABLE);
    }
  }

  private Stacks stacks(Object key, long hash) {
    KeyedTable<Stacks> all = table();
    Stacks present = all.get(key, hash);
    if (present == null) {
      present = new Stacks();
      all.put(key, hash, present);
    }
    return present;
  }

  /** A part of a slice behind all others. */
  private void append(Part part, Object key, long hash) throws Exception {
    Stacks stacks = stacks(key, hash);
    Object back = stacks.back == null ? aggregator.create() : stacks.back;
    stacks.back = aggregator.merge(back, part.accumulator());
  }

  /** A part of a slice before all others. */
  private void push(Part part, Object key, long hash) throws Exception {
    Stacks stacks = stacks(key, hash);
    Suffix after = stacks.front;
    Object sum = aggregator.merge(aggregator.create(), part.accumulator());
    stacks.front =
        new Suffix(after == null ? sum : aggregator.merge(sum, after.accumulator), after);
  }

  /** The first slice, which knows the key and is in the front, leaves. */
  private void pop(Object key, long hash) {
    Stacks stacks = table().get(key, hash);
    if (stacks == null || stacks.front == null) {
      throw new IllegalStateException("a slice leaves that has not come");
    }
    stacks.front = stacks.front.after;
    if (stacks.front == null && stacks.back == null) {
      table().remove(key, hash);
    }
  }

  /** Front and back together, in an accumulator that must not be changed. */
  private Object sum(Stacks stacks) throws Exception {
    Suffix front = stacks.front;
    Object back = stacks.back;
    if (front != null && back != null) {
      Object sum = aggregator.merge(aggregator.create(), front.accumulator);
      return aggregator.merge(sum, back);
    } else if (front != null) {
      return front.accumulator;
    } else if (back != null) {
      return back;
    }
    throw new IllegalStateException("a key in no slice");
  }

  @Override
  public void begin(Window window) {
    long from = Math.max(gatheredTo, window.startMillis());
    walk.over(slices.between(from, window.endMillis()));
    gatheredTo = window.endMillis();
  }

  @Override
  public int gather(int budget) throws Exception {
    return walk.go(budget, append);
  }

  @Override
  public Accumulation.Walk walk() {
    return new StacksWalk(table().cursor());
  }

  @Override
  public void end(Window window) {
    Window next = assigner.next(window);
    long staysFrom = next == null ? gatheredTo : Math.min(next.startMillis(), gatheredTo);
    Slice leaving = slices.lastBefore(staysFrom);
    if (leaving == null || leaving.window.startMillis() < window.startMillis()) {
      return;
    }
    if (slices.between(staysFrom, gatheredTo).isEmpty()) {
      drop();
    } else if (leaving.window.startMillis() < pivot) {
      forget = pop;
      walk.over(slices.between(window.startMillis(), staysFrom));
    } else {
      drop();
      pivot = gatheredTo;
      forget = push;
      walk.over(slices.backwards(staysFrom, gatheredTo));
    }
  }

  @Override
  public int forget(int budget) throws Exception {
    return walk.go(budget, forget);
  }

  @Override
  public void beforeLate(Slice slice, Object key, long hash) {}

  /** Makes the key's stacks anew: as many look-ups as there are slices, as its results take too. */
  @Override
  public void afterLate(Slice slice, Object key, long hash, long firedTo) throws Exception {
    if (slice.window.startMillis() >= gatheredTo) {
      return;
    }
    table().remove(key, hash);
    for (Slice each : slices.backwards(Timestamps.MIN, pivot)) {
      Part part = each.table.part(key, hash);
      if (each.last.endMillis() <= firedTo) {
        break;
      }
      if (part != null) {
        push(part, key, hash);
      }
    }
    for (Slice each : slices.between(pivot, gatheredTo)) {
      Part part = each.table.part(key, hash);
      if (part != null && each.last.endMillis() > firedTo) {
        append(part, key, hash);
      }
    }
  }

  private final class StacksWalk implements Accumulation.Walk {
    private final TableCursor<Stacks> cursor;

    StacksWalk(TableCursor<Stacks> cursor) {
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
      return aggregator.result(sum(cursor.value()));
    }

    @Override
    public Part part() {
      throw new UnsupportedOperationException("stacks are not merged elsewhere");
    }
  }
}
