package io.streamforge.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.graph.Node.TableOperation;
import io.streamforge.graph.Port;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.operator.join.JoinOperators;
import io.streamforge.operator.table.TableOperators;
import io.streamforge.record.Change;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.StateDescriptor;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.testkit.OperatorHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Operators of tables against reference models: random updates with ties, duplicates, deletions,
 * disorder and late ones, driven in all ways.
 *
 * <p>A failure names its seed: put it into {@code FIRST_SEED} and set {@code CASES} to 1.
 */
final class TableModelTest {
  private static final long FIRST_SEED = 1;
  private static final int CASES = 1_000;

  private static final KeyKind<String> KEYS = KeyKinds.of(Serdes.string());
  private static final Port INPUT = Port.main("in");

  /** What a family of random cases is about. */
  enum Family {
    BY_TIME,
    BY_ARRIVAL,
    FILTER,
    MAP,
    TO_STREAM,
    GROUP_BY,
    COUNT,
    SUM,
    OBJECTS,
    AS_OF,
    LATEST,
    TABLES;

    boolean joins() {
      return this == AS_OF || this == LATEST || this == TABLES;
    }

    boolean aggregates() {
      return this == COUNT || this == SUM || this == OBJECTS;
    }
  }

  /** What an operator gets, and what must come of it. */
  private record Case(
      List<OperatorEvent> events,
      Outcome outcome,
      Function<OperatorContext, Operator> operator,
      String state,
      long entries,
      boolean ends) {}

  @ParameterizedTest
  @EnumSource(Family.class)
  void operatorsDoWhatTheModelSays(Family family) {
    long emitted = 0;
    long late = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      Case random = new Generator(family, seed).next();
      emitted += random.outcome.emitted().size();
      late += random.outcome.late();
      List<HarnessMode> all = HarnessMode.all(seed);
      for (HarnessMode mode :
          List.of(HarnessMode.PLAIN, all.get(1 + (int) (seed % (all.size() - 1))))) {
        try {
          check(random, mode);
        } catch (Throwable e) {
          throw new AssertionError(
              "seed "
                  + seed
                  + ", "
                  + family
                  + ", "
                  + mode
                  + "\n"
                  + random.events
                  + "\n"
                  + e.getMessage(),
              e);
        }
      }
    }
    assertThat(emitted).isGreaterThan(CASES);
    assertThat(late > CASES / 4)
        .as("%s late ones", late)
        .isEqualTo(family == Family.BY_TIME || family == Family.AS_OF);
  }

  private static void check(Case random, HarnessMode mode) throws Exception {
    OperatorHarness harness =
        new OperatorHarness(KEYS, List.of(Serdes.ints(), Serdes.ints()), mode, random.operator)
            .apply(random.events);
    harness.close();
    assertThat(harness.emitted().stream().map(Object::toString).sorted().toList())
        .isEqualTo(random.outcome.emitted().stream().map(Object::toString).sorted().toList());
    assertThat(harness.counters().processed).isEqualTo(random.outcome.processed());
    assertThat(harness.counters().late).isEqualTo(random.outcome.late());
    if (random.ends && !random.state.isEmpty()) {
      int left =
          random.state.equals("columns")
              ? harness.states().columns(ColumnsDescriptor.derived("aggregate", 2)).size()
              : harness.states().table(StateDescriptor.derived(random.state)).size();
      assertThat(left).as("keys in '%s'", random.state).isEqualTo((int) random.entries);
    }
    if (random.ends) {
      assertThat(harness.eventTimers()).as("timers that are left").isZero();
    }
  }

  private static @Nullable Object join(@Nullable Object left, @Nullable Object right) {
    return left + "+" + right;
  }

  private static boolean passes(@Nullable Object row) {
    return row != null && (Integer) row % 3 != 0;
  }

  private static String group(@Nullable Object key, Object row) {
    return "g" + (Integer) row % 3;
  }

  /** Sum and sum of squares, with accumulators that are objects. */
  private static final class Moments implements Aggregator<Integer, Moments.Sums, String> {
    /** Changed in place. */
    static final class Sums {
      long sum;
      long squares;
    }

    @Override
    public Sums create() {
      return new Sums();
    }

    @Override
    public Sums add(Sums accumulator, Integer value) {
      accumulator.sum += value;
      accumulator.squares += (long) value * value;
      return accumulator;
    }

    @Override
    public Sums merge(Sums into, Sums from) {
      into.sum += from.sum;
      into.squares += from.squares;
      return into;
    }

    @Override
    public boolean subtractable() {
      return true;
    }

    @Override
    public Sums subtract(Sums from, Sums part) {
      from.sum -= part.sum;
      from.squares -= part.squares;
      return from;
    }

    @Override
    public String result(Sums accumulator) {
      return accumulator.sum + "/" + accumulator.squares;
    }
  }

  private static final class Generator {
    private static final Expected.Order NO_ORDER = new Expected.Order(0, 0, 0, null);

    private final Family family;
    private final Random random;

    Generator(Family family, long seed) {
      this.family = family;
      this.random = new Random(seed * 31 + family.ordinal());
    }

    private int from(int low, int high) {
      return low + random.nextInt(high - low + 1);
    }

    Case next() {
      boolean ends = random.nextInt(4) != 0;
      List<OperatorEvent> raw = raw(ends);
      if (family.joins()) {
        return joins(raw, ends);
      }
      if (family == Family.BY_TIME || family == Family.BY_ARRIVAL) {
        return latest(raw, ends);
      }
      List<OperatorEvent> changes = changes(raw, true, true);
      if (family.aggregates()) {
        return aggregates(changes, ends);
      }
      return stateless(changes);
    }

    private static Node.TableNode node(TableOperation operation) {
      return new Node.TableNode("node", INPUT, operation);
    }

    private static Function<OperatorContext, Operator> operator(TableOperation operation) {
      return context -> TableOperators.create(node(operation), context, () -> Values.cast(KEYS));
    }

    private Case latest(List<OperatorEvent> raw, boolean ends) {
      boolean byTime = family == Family.BY_TIME;
      long lateness = byTime && random.nextBoolean() ? from(1, 12) : 0;
      TableModel model = new TableModel(byTime, lateness);
      List<Expected> expected = new ArrayList<>();
      long watermark = Timestamps.MIN;
      long late = 0;
      for (int i = 0; i < raw.size(); i++) {
        if (raw.get(i) instanceof OperatorEvent.Watermark advance) {
          watermark = advance.millis();
        } else if (raw.get(i) instanceof OperatorEvent.Arrival arrival) {
          var record = arrival.record();
          Change<Object> change =
              model.take(
                  Values.cast(record.key()), record.value(), record.timestampMillis(), watermark);
          if (change == null) {
            late++;
          } else {
            expected.add(expected(i, record.key(), change, record.timestampMillis()));
          }
        }
      }
      return new Case(
          raw,
          new Outcome(expected, expected.size(), late, 0),
          operator(new TableOperation.Latest(Duration.ofMillis(lateness), byTime)),
          "table",
          model.rows().size(),
          ends);
    }

    private static Expected expected(
        int event, @Nullable Object key, @Nullable Object value, long timeMillis) {
      return new Expected(
          "",
          event,
          NO_ORDER,
          new Record<>(Values.<Object>cast(key), Values.<Object>cast(value), timeMillis, null));
    }

    private Case stateless(List<OperatorEvent> changes) {
      List<Expected> expected = new ArrayList<>();
      long processed = 0;
      for (int i = 0; i < changes.size(); i++) {
        if (changes.get(i) instanceof OperatorEvent.Arrival arrival) {
          processed++;
          var record = arrival.record();
          for (Record<Object, Object> made :
              made(record.key(), Values.cast(record.value()), record.timestampMillis())) {
            expected.add(expected(i, made.key(), made.value(), made.timestampMillis()));
          }
        }
      }
      TableOperation operation =
          switch (family) {
            case FILTER -> new TableOperation.Filter((k, v) -> passes(v), false);
            case MAP ->
                new TableOperation.MapValues((Integer v) -> passes(v) ? v * 10 : null, null);
            case GROUP_BY -> new TableOperation.GroupBy((k, v) -> group(k, v));
            default -> new TableOperation.ToStream();
          };
      return new Case(
          changes, new Outcome(expected, processed, 0, 0), operator(operation), "", 0, true);
    }

    private List<Record<Object, Object>> made(
        @Nullable Object key, Change<Object> change, long timeMillis) {
      Object before = change.before();
      Object after = change.after();
      Object present = Values.cast(key);
      switch (family) {
        case FILTER -> {
          Object kept = passes(before) ? before : null;
          Object keptAfter = passes(after) ? after : null;
          return List.of(
              Record.of(present, new Change<>(kept, keptAfter, change.current()), timeMillis));
        }
        case MAP -> {
          Object old = passes(before) ? Values.<Integer>cast(before) * 10 : null;
          Object now = passes(after) ? Values.<Integer>cast(after) * 10 : null;
          return List.of(Record.of(present, new Change<>(old, now, change.current()), timeMillis));
        }
        case GROUP_BY -> {
          return regrouped(change, timeMillis);
        }
        default -> {
          return change.shows()
              ? List.of(new Record<>(present, Values.<Object>cast(after), timeMillis, null))
              : List.of();
        }
      }
    }

    private static List<Record<Object, Object>> regrouped(Change<Object> change, long timeMillis) {
      Object before = change.before();
      Object after = change.after();
      List<Record<Object, Object>> all = new ArrayList<>();
      if (!change.current()) {
        return all;
      }
      if (before != null && after != null && group("", before).equals(group("", after))) {
        all.add(Record.of(group("", before), change, timeMillis));
        return all;
      }
      if (before != null) {
        all.add(Record.of(group("", before), Change.of(before, null), timeMillis));
      }
      if (after != null) {
        all.add(Record.of(group("", after), Change.of(null, after), timeMillis));
      }
      return all;
    }

    /** Of regrouped changes: after each, the aggregate is computed anew from all rows. */
    private Case aggregates(List<OperatorEvent> changes, boolean ends) {
      List<OperatorEvent> events = new ArrayList<>();
      List<Expected> expected = new ArrayList<>();
      Map<String, List<Integer>> groups = new TreeMap<>();
      for (OperatorEvent next : changes) {
        if (next instanceof OperatorEvent.Arrival arrival) {
          var record = arrival.record();
          for (Record<Object, Object> part :
              regrouped(Values.cast(record.value()), record.timestampMillis())) {
            Change<Object> change = Values.cast(part.value());
            List<Integer> rows =
                groups.computeIfAbsent((String) part.key(), g -> new ArrayList<>());
            Object before = aggregate(rows);
            if (change.before() != null) {
              rows.remove(change.before());
            }
            if (change.after() != null) {
              rows.add((Integer) change.after());
            }
            expected.add(
                expected(
                    events.size(),
                    part.key(),
                    Change.of(before, aggregate(rows)),
                    part.timestampMillis()));
            events.add(OperatorEvent.record(part.key(), change, part.timestampMillis()));
          }
        } else {
          events.add(next);
        }
      }
      Aggregator<Integer, ?, ?> aggregator =
          switch (family) {
            case COUNT -> Aggregates.count();
            case SUM -> Aggregates.sum((Integer v) -> v);
            default -> new Moments();
          };
      return new Case(
          events,
          new Outcome(expected, expected.size(), 0, 0),
          operator(
              new TableOperation.Aggregate(new Node.Aggregation("aggregate", aggregator, null))),
          family == Family.OBJECTS ? "aggregate" : "columns",
          groups.values().stream().filter(rows -> !rows.isEmpty()).count(),
          ends);
    }

    private @Nullable Object aggregate(List<Integer> rows) {
      if (rows.isEmpty()) {
        return null;
      }
      long sum = rows.stream().mapToLong(v -> v).sum();
      return switch (family) {
        case COUNT -> (long) rows.size();
        case SUM -> sum;
        default -> sum + "/" + rows.stream().mapToLong(v -> (long) v * v).sum();
      };
    }

    private Case joins(List<OperatorEvent> raw, boolean ends) {
      boolean asOf = family == Family.AS_OF;
      boolean lateOutputs = asOf && random.nextInt(3) == 0;
      Node.JoinNode node =
          new Node.JoinNode(
              "node",
              Port.main("left"),
              Port.main("right"),
              Node.JoinKind.values()[random.nextInt(family == Family.TABLES ? 3 : 2)],
              switch (family) {
                case AS_OF -> new Node.Matching.AsOf();
                case LATEST -> new Node.Matching.Latest();
                default -> new Node.Matching.Tables();
              },
              Duration.ofMillis(asOf && random.nextBoolean() ? from(1, 15) : 0),
              lateOutputs ? SideOutput.of("late") : null,
              lateOutputs ? SideOutput.of("late-updates") : null,
              (left, right) -> join(left, right));
      Outcome outcome = new TableJoinModel(node, TableModelTest::join).run(raw);
      return new Case(
          changes(raw, family == Family.TABLES, true),
          outcome,
          context -> JoinOperators.create(node, context),
          "",
          0,
          ends);
    }

    /** The events, with updates at these inputs as changes; none is late. */
    private static List<OperatorEvent> changes(
        List<OperatorEvent> raw, boolean atFirst, boolean atSecond) {
      TableModel first = TableModel.remembering();
      TableModel second = TableModel.remembering();
      List<OperatorEvent> events = new ArrayList<>();
      for (OperatorEvent next : raw) {
        if (next instanceof OperatorEvent.Arrival arrival
            && (arrival.input() == 0 ? atFirst : atSecond)) {
          var record = arrival.record();
          Change<Object> change =
              (arrival.input() == 0 ? first : second)
                  .take(
                      Values.cast(record.key()),
                      record.value(),
                      record.timestampMillis(),
                      Timestamps.MIN);
          events.add(
              OperatorEvent.record(
                  arrival.input(), record.key(), change, record.timestampMillis()));
        } else {
          events.add(next);
        }
      }
      return events;
    }

    private List<OperatorEvent> raw(boolean ends) {
      int count = from(3, 40);
      int keys = from(1, 3);
      int spread = from(1, 25);
      long now =
          switch (random.nextInt(8)) {
            case 0 -> Long.MIN_VALUE + from(1, 30);
            case 1 -> Long.MAX_VALUE - from(1, 90);
            default -> from(-40, 40);
          };
      long last = Long.MIN_VALUE;
      List<OperatorEvent> events = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (random.nextInt(10) < 7) {
          long time =
              Math.max(
                  Long.MIN_VALUE + 1,
                  Math.min(Long.MAX_VALUE - 1, Timestamps.plus(now, from(-spread, spread / 2))));
          Integer value = random.nextInt(4) == 0 ? null : (Integer) from(1, 9);
          events.add(
              OperatorEvent.record(
                  family.joins() ? random.nextInt(2) : 0, "k" + random.nextInt(keys), value, time));
          now = Timestamps.plus(now, from(0, 3));
        } else {
          // Nothing comes behind the final watermark.
          long watermark = Math.min(Timestamps.plus(now, from(-spread, 3)), Timestamps.MAX - 1);
          if (watermark > last) {
            last = watermark;
            events.add(OperatorEvent.watermark(watermark));
          }
        }
      }
      if (ends && last < Long.MAX_VALUE) {
        events.add(OperatorEvent.watermark(Long.MAX_VALUE));
      }
      return events;
    }
  }
}
