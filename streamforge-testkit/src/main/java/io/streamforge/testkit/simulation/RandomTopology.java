package io.streamforge.testkit.simulation;

import io.streamforge.Stream;
import io.streamforge.Table;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A topology drawn from a seed, with its input, and what should come out at each of its sinks,
 * whatever the order of steps.
 */
public final class RandomTopology {
  private static final long AT_THE_END = 1_000_000_000_000L;
  private static final int DISORDER_MILLIS = 100;
  private static final int TOO_MANY = 5_000;
  private static final int LEAST_WINDOW_MILLIS = 10;

  /** Rows of a side of a join. */
  private static final int LARGEST_JOINED = 400;

  /** So that a checkpoint finds most of a table unchanged. */
  private static final int MANY_KEYS = 400;

  /** How sure it is when a record of a stream happens. */
  private enum Times {
    /** Its timestamp is the same in every order. */
    SURE,
    /** It depends on the order of steps. */
    BY_ORDER
  }

  /** What comes of it when records of the input are processed twice. */
  private enum Repeats {
    /** The same once more. */
    SAME,
    /** All that comes of processing them once, and more. */
    MORE,
    /** Each window once or oftener, with what it counts or more. */
    WINDOWS,
    /** Something else. */
    OTHER;

    /** Behind what looks at each record alone. */
    Repeats each() {
      return this == WINDOWS ? OTHER : this;
    }

    /** Behind a running count. */
    Repeats counted() {
      return this == OTHER ? OTHER : MORE;
    }

    Repeats with(Repeats other) {
      return values()[Math.max(each().ordinal(), other.each().ordinal())];
    }
  }

  private record Flow(
      Stream<String, Integer> stream,
      List<Record<String, Integer>> model,
      Times times,
      Repeats repeats) {}

  private final int records;
  private final SplittableRandom random;
  private final TopologyBuilder builder;
  private final List<Flow> flows = new ArrayList<>();
  private final Map<String, List<List<Record<String, Integer>>>> inputs = new TreeMap<>();
  private final Map<String, OutputCheck> checks = new TreeMap<>();
  private final Map<String, OutputCheck> leastChecks = new TreeMap<>();
  private final Map<String, List<KeyValue<String, Integer>>> expected = new TreeMap<>();
  private final Topology topology;
  private int names;

  /** Draws one with little input. */
  public RandomTopology(long seed) {
    this(seed, 40);
  }

  /**
   * Draws one.
   *
   * @param records of a partition at most
   */
  public RandomTopology(long seed, int records) {
    this.records = records;
    this.random = new SplittableRandom(seed);
    this.builder = Topology.builder("random-" + seed);
    int sources = 1 + random.nextInt(2);
    for (int i = 0; i < sources; i++) {
      source("in-" + i);
    }
    int steps = 3 + random.nextInt(8);
    for (int i = 0; i < steps; i++) {
      step();
    }
    // Drawn apart, so that what a seed stands for without them stays the same.
    SplittableRandom ofJoins = new SplittableRandom(~seed);
    for (int i = ofJoins.nextInt(3); i > 0; i--) {
      join(ofJoins);
    }
    SplittableRandom ofTables = new SplittableRandom(seed * 31 + 17);
    for (int i = ofTables.nextInt(3); i > 0; i--) {
      table(ofTables);
    }
    for (int i = 0; i < flows.size(); i++) {
      Flow flow = flows.get(i);
      String sink = "out-" + i;
      flow.stream.sink(sink, random.nextBoolean() ? Sinks.none() : blocking());
      List<KeyValue<String, Integer>> pairs =
          flow.model.stream().map(r -> KeyValue.of(r.key(), r.value())).toList();
      expected.put(sink, pairs);
      checks.put(sink, OutputCheck.exactly(pairs));
      leastChecks.put(sink, leastCheck(flow.repeats, pairs));
    }
    if (random.nextInt(3) == 0) {
      lateRecords();
    }
    topology = builder.build();
  }

  /** The topology. */
  public Topology topology() {
    return topology;
  }

  /** Partitions of each source. */
  public Map<String, List<List<Record<String, Integer>>>> inputs() {
    return inputs;
  }

  /** For each sink what comes out, in no particular order; not for those of late records. */
  public Map<String, List<KeyValue<String, Integer>>> expected() {
    return expected;
  }

  /** For each sink what its output has to be. */
  public Map<String, OutputCheck> checks() {
    return checks;
  }

  /** For each sink what its output has to be when records may be processed more than once. */
  public Map<String, OutputCheck> leastChecks() {
    return leastChecks;
  }

  private static OutputCheck leastCheck(Repeats repeats, List<KeyValue<String, Integer>> expected) {
    return switch (repeats) {
      case SAME ->
          shown -> {
            String lost = OutputCheck.atLeast(expected).problem(shown);
            if (lost != null) {
              return lost;
            }
            Set<Object> known = new HashSet<>(expected);
            return shown.stream()
                .map(record -> KeyValue.of(record.key(), record.value()))
                .filter(pair -> !known.contains(pair))
                .findFirst()
                .map(pair -> "nobody has written " + pair)
                .orElse(null);
          };
      case MORE -> OutputCheck.atLeast(expected);
      case WINDOWS ->
          shown ->
              expected.stream()
                  .filter(window -> shown.stream().noneMatch(result -> isOf(window, result)))
                  .findFirst()
                  .map(window -> "lost " + window)
                  .orElse(null);
      case OTHER -> shown -> null;
    };
  }

  /** Whether it is a result of the same window that counts as much or more. */
  private static boolean isOf(KeyValue<String, Integer> window, Record<Object, Object> result) {
    int more = (Integer) result.value() - window.value();
    return result.key().equals(window.key()) && more >= 0 && more < LEAST_WINDOW_MILLIS * 1_000;
  }

  private static Sink<String, Integer> blocking() {
    return Sinks.forEach(record -> {});
  }

  private void source(String name) {
    List<List<Record<String, Integer>>> partitions = new ArrayList<>();
    List<Record<String, Integer>> model = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    int keys = random.nextBoolean() ? MANY_KEYS : 6;
    for (int p = 0; p < count; p++) {
      List<Record<String, Integer>> partition = new ArrayList<>();
      int size = random.nextInt(5) == 0 ? random.nextInt(10) : random.nextInt(records);
      int pace = 1 + random.nextInt(40);
      for (int i = 0; i < size; i++) {
        long timestamp = (long) i * pace + random.nextInt(DISORDER_MILLIS) - 200;
        Record<String, Integer> record =
            new Record<>("k" + random.nextInt(keys), random.nextInt(1_000) - 500, timestamp, null);
        partition.add(record);
        model.add(record);
      }
      partitions.add(partition);
    }
    inputs.put(name, partitions);
    add(
        builder.source(
            name,
            InMemoryChannel.<String, Integer>timestamped(1),
            WatermarkStrategy.<String, Integer>boundedOutOfOrderness(
                    Duration.ofMillis(DISORDER_MILLIS))
                .unaligned()),
        model,
        Times.SURE,
        Repeats.SAME);
  }

  private void add(
      Stream<String, Integer> stream,
      List<Record<String, Integer>> model,
      Times times,
      Repeats repeats) {
    flows.add(new Flow(stream.typed(String.class, Integer.class), model, times, repeats));
  }

  private String name() {
    return "n" + names++;
  }

  private void step() {
    int from = random.nextInt(flows.size());
    Flow flow = flows.get(from);
    Stream<String, Integer> stream = flow.stream;
    List<Record<String, Integer>> model = flow.model;
    Times times = flow.times;
    Repeats each = flow.repeats.each();
    Repeats counted = flow.repeats.counted();
    int draw = random.nextInt(100);
    switch (random.nextInt(14)) {
      case 0 ->
          add(
              stream.mapValues(name(), v -> v + draw),
              each(model, (k, v, t, to) -> to.put(k, v + draw, t)),
              times,
              each);
      case 1 ->
          add(
              stream.filter(name(), (k, v) -> Math.floorMod(v + draw, 3) > 0),
              each(
                  model,
                  (k, v, t, to) -> {
                    if (Math.floorMod(v + draw, 3) > 0) {
                      to.put(k, v, t);
                    }
                  }),
              times,
              each);
      case 2 -> add(stream.flatMapValues(name(), v -> copies(v)), copied(model), times, each);
      case 3 ->
          add(
              stream.<Integer>flatMapValuesTo(name(), (v, out) -> copies(v).forEach(out::emit)),
              copied(model),
              times,
              each);
      case 4 ->
          add(
              stream.selectKey(name(), (k, v) -> "k" + Math.floorMod(v, 5)),
              each(model, (k, v, t, to) -> to.put("k" + Math.floorMod(v, 5), v, t)),
              times,
              each);
      case 5 -> add(stream.rebalance(name()), model, times, each);
      case 6 -> {
        int other = random.nextInt(flows.size());
        if (other != from) {
          List<Record<String, Integer>> both = new ArrayList<>(model);
          both.addAll(flows.get(other).model);
          add(
              stream.merge(name(), flows.get(other).stream),
              both,
              times == Times.SURE ? flows.get(other).times : times,
              flow.repeats.with(flows.get(other).repeats));
        }
      }
      case 7 -> {
        var branches =
            stream
                .split(name())
                .branch("low", (k, v) -> Math.floorMod(v, 10) < 3)
                .branch("high", (k, v) -> Math.floorMod(v, 10) > 6);
        add(branches.stream("low"), where(model, v -> Math.floorMod(v, 10) < 3), times, each);
        add(branches.stream("high"), where(model, v -> Math.floorMod(v, 10) > 6), times, each);
      }
      case 8 ->
          add(
              stream.groupByKey(name()).count(name()).mapValues(name(), n -> n.intValue()),
              counted(model),
              Times.BY_ORDER,
              counted);
      case 9 ->
          add(
              stream
                  .groupBy(name(), (k, v) -> "g" + Math.floorMod(v, 7))
                  .process(name(), SumAtTheEnd::new),
              summed(each(model, (k, v, t, to) -> to.put("g" + Math.floorMod(v, 7), v, t))),
              Times.SURE,
              Repeats.OTHER);
      case 10 -> {
        var grouped = stream.groupByKey(name());
        add(
            grouped.count(name()).mapValues(name(), n -> n.intValue()),
            counted(model),
            Times.BY_ORDER,
            counted);
        add(grouped.process(name(), SumAtTheEnd::new), summed(model), Times.SURE, Repeats.OTHER);
      }
      default -> window(flow);
    }
    Flow last = flows.get(flows.size() - 1);
    if (last.model.size() > TOO_MANY) {
      // Topologies that multiply without end say nothing new.
      flows.set(
          flows.size() - 1,
          new Flow(
              last.stream.filter(name(), (k, v) -> v % 100 == 0).typed(String.class, Integer.class),
              where(last.model, v -> v % 100 == 0),
              last.times,
              last.repeats.each()));
    }
  }

  /** Counts in windows; each result says which window it is of. */
  private void window(Flow flow) {
    if (flow.times != Times.SURE || flow.model.stream().anyMatch(r -> r.timestampMillis() > 1e9)) {
      return;
    }
    int size = 20 * (1 + random.nextInt(10));
    int kind = random.nextInt(3);
    Windows windows =
        switch (kind) {
          case 0 -> Windows.tumbling(Duration.ofMillis(size));
          case 1 -> Windows.sliding(Duration.ofMillis(2L * size), Duration.ofMillis(size));
          default -> Windows.session(Duration.ofMillis(size / 2));
        };
    add(
        flow.stream
            .groupByKey(name())
            .window(windows)
            .count(name())
            .mapValues(name(), w -> result(w.startMillis(), count(w))),
        kind == 2 ? sessions(flow.model, size / 2) : slices(flow.model, kind + 1, size),
        Times.SURE,
        flow.repeats == Repeats.SAME ? Repeats.WINDOWS : Repeats.OTHER);
  }

  private static int count(Windowed<Long> result) {
    Long count = result.value();
    return count == null ? 0 : count.intValue();
  }

  private static int result(long startMillis, int count) {
    return (int) (startMillis * 1_000) + count;
  }

  private static List<Record<String, Integer>> slices(
      List<Record<String, Integer>> model, int windowsOfEach, int slide) {
    Map<String, TreeMap<Long, Integer>> counts = new TreeMap<>();
    for (Record<String, Integer> record : model) {
      long last = Math.floorDiv(record.timestampMillis(), slide) * (long) slide;
      for (int i = 0; i < windowsOfEach; i++) {
        counts
            .computeIfAbsent(record.key(), k -> new TreeMap<>())
            .merge(last - (long) i * slide, 1, Integer::sum);
      }
    }
    List<Record<String, Integer>> results = new ArrayList<>();
    counts.forEach(
        (key, ofKey) ->
            ofKey.forEach(
                (start, count) ->
                    results.add(
                        new Record<>(
                            key,
                            result(start, count),
                            start + (long) windowsOfEach * slide - 1,
                            null))));
    return results;
  }

  private static List<Record<String, Integer>> sessions(
      List<Record<String, Integer>> model, int gap) {
    Map<String, List<Long>> times = new TreeMap<>();
    model.forEach(
        record ->
            times
                .computeIfAbsent(record.key(), k -> new ArrayList<>())
                .add(record.timestampMillis()));
    List<Record<String, Integer>> results = new ArrayList<>();
    times.forEach(
        (key, all) -> {
          all.sort(null);
          long start = all.get(0);
          long end = start + gap;
          int count = 0;
          for (long time : all) {
            if (time >= end) {
              results.add(new Record<>(key, result(start, count), end - 1, null));
              start = time;
              count = 0;
            }
            count++;
            end = time + gap;
          }
          results.add(new Record<>(key, result(start, count), end - 1, null));
        });
    return results;
  }

  private void join(SplittableRandom draws) {
    List<Flow> joinable = joinable();
    if (joinable.isEmpty()) {
      return;
    }
    Flow left = joinable.get(draws.nextInt(joinable.size()));
    Flow right = joinable.get(draws.nextInt(joinable.size()));
    RowModels.Joined[] all = RowModels.Joined.values();
    RowModels.Joined how = all[draws.nextInt(all.length)];
    int kind = draws.nextInt(3);
    int from = draws.nextInt(200) - 120;
    int size = 1 + draws.nextInt(150);
    List<Record<String, Integer>> model =
        RowModels.joined(left.model, right.model, how, kind, from, size);
    if (model.size() > TOO_MANY) {
      return;
    }
    var sides = left.stream.groupByKey(name()).joinWith(right.stream.groupByKey(name()));
    var join =
        switch (how) {
          case BETWEEN -> sides.between(Duration.ofMillis(from), Duration.ofMillis(from + size));
          case TUMBLING -> sides.window(Windows.tumbling(Duration.ofMillis(size)));
          case SESSION -> sides.window(Windows.session(Duration.ofMillis(size)));
        };
    Stream<String, Integer> stream =
        switch (kind) {
          case 0 -> join.inner(name(), (l, r) -> RowModels.both(l, r));
          case 1 -> join.left(name(), (l, r) -> RowModels.both(l, r));
          default -> join.outer(name(), (l, r) -> RowModels.both(l, r));
        };
    add(stream, model, Times.SURE, Repeats.OTHER);
  }

  /** Streams whose rows have times that are the same in every order. */
  private List<Flow> joinable() {
    return flows.stream()
        .filter(flow -> flow.times == Times.SURE && flow.model.size() <= LARGEST_JOINED)
        .filter(flow -> flow.model.stream().noneMatch(r -> r.timestampMillis() > 1e9))
        .toList();
  }

  private void table(SplittableRandom draws) {
    List<Flow> joinable = joinable();
    List<Flow> ordered = joinable.stream().filter(flow -> RowModels.ordered(flow.model)).toList();
    if (ordered.isEmpty()) {
      return;
    }
    Flow updates = ordered.get(draws.nextInt(ordered.size()));
    Flow other = joinable.get(draws.nextInt(joinable.size()));
    Flow others = ordered.get(draws.nextInt(ordered.size()));
    int divisor = 2 + draws.nextInt(4);
    int kind = draws.nextInt(3);
    IntPredicate passes = v -> Math.floorMod(v, divisor) > 0;
    Table<String, Integer> rows = rows(updates).filter(name(), (k, v) -> passes.test(v));
    Map<String, Integer> model = RowModels.rows(updates.model, passes);
    switch (draws.nextInt(3)) {
      case 0 -> {
        var join = other.stream.groupByKey(name()).joinWith(rows);
        add(
            kind == 0
                ? join.inner(name(), (l, r) -> RowModels.both(l, r))
                : join.left(name(), (l, r) -> RowModels.both(l, r)),
            RowModels.asOf(other.model, updates.model, passes, kind == 0),
            Times.SURE,
            Repeats.OTHER);
      }
      case 1 -> {
        Map<String, Integer> sums = new TreeMap<>();
        model.values().forEach(v -> sums.merge("g" + Math.floorMod(v, 7), v, Integer::sum));
        atTheEnd(
            rows.groupBy(name(), (k, v) -> "g" + Math.floorMod(v, 7))
                .sum(name(), v -> v)
                .mapValues(name(), sum -> sum.intValue()),
            sums);
      }
      default -> {
        var join = rows.joinWith(rows(others));
        atTheEnd(
            switch (kind) {
              case 0 -> join.inner(name(), (l, r) -> RowModels.both(l, r));
              case 1 -> join.left(name(), (l, r) -> RowModels.both(l, r));
              default -> join.outer(name(), (l, r) -> RowModels.both(l, r));
            },
            RowModels.joinedRows(model, RowModels.rows(others.model, v -> true), kind));
      }
    }
  }

  private Table<String, Integer> rows(Flow updates) {
    return updates.stream.groupByKey(name()).toTable(name());
  }

  /**
   * What a table shows on its way depends on the order of steps, what it has in the end does not.
   */
  private void atTheEnd(Table<String, Integer> table, Map<String, Integer> rows) {
    List<Record<String, Integer>> model = new ArrayList<>();
    rows.forEach((key, row) -> model.add(new Record<>(key, row, AT_THE_END, null)));
    add(
        table
            .typed(String.class, Integer.class)
            .toStream(name())
            .groupByKey(name())
            .process(name(), LastAtTheEnd::new),
        model,
        Times.SURE,
        Repeats.OTHER);
  }

  /**
   * A source with records behind its own watermarks. Which of them are dropped depends on the
   * order; but no window has two results, and none counts less than what cannot be late.
   */
  private void lateRecords() {
    List<Record<String, Integer>> late = new ArrayList<>();
    Map<String, Integer> least = new HashMap<>();
    Map<String, Integer> most = new HashMap<>();
    long watermark = Long.MIN_VALUE;
    int size = 50;
    for (int i = 0; i < 60; i++) {
      int value = random.nextInt(100);
      long timestamp = i * 10L + (random.nextInt(4) == 0 ? -random.nextInt(200) : 0);
      String key = "k" + random.nextInt(2);
      late.add(new Record<>(key, value, timestamp, null));
      long start = Math.floorDiv(timestamp, size) * (long) size;
      most.merge(key + "@" + start, 1, Integer::sum);
      if (start + size > watermark) {
        least.merge(key + "@" + start, 1, Integer::sum);
      }
      if (value % 4 == 0) {
        watermark = Math.max(watermark, timestamp);
      }
    }
    inputs.put("in-late", List.of(late));
    Stream<String, Integer> stream =
        builder.source(
            "in-late",
            InMemoryChannel.<String, Integer>timestamped(1),
            WatermarkStrategy.punctuated(
                (k, v, t) -> v % 4 == 0 ? t : io.streamforge.time.Punctuator.NONE));
    stream
        .typed(String.class, Integer.class)
        .groupByKey("late-keys")
        .window(Windows.tumbling(Duration.ofMillis(size)))
        .count("late-count")
        .map("late-name", (k, w) -> KeyValue.of(k + "@" + w.startMillis(), count(w)))
        .sink("out-late", blocking());
    checks.put(
        "out-late",
        shown -> {
          Map<Object, Integer> counts = new HashMap<>();
          for (Record<Object, Object> record : shown) {
            if (counts.put(record.key(), (Integer) record.value()) != null) {
              return "window " + record.key() + " has two results";
            }
          }
          for (Map.Entry<String, Integer> window : least.entrySet()) {
            int count = counts.getOrDefault(window.getKey(), 0);
            if (count < window.getValue() || count > most.getOrDefault(window.getKey(), 0)) {
              return "window " + window.getKey() + " counts " + count;
            }
          }
          return null;
        });
    leastChecks.put(
        "out-late",
        shown -> {
          Map<Object, Integer> counts = new HashMap<>();
          shown.forEach(r -> counts.merge(r.key(), (Integer) r.value(), Math::max));
          return least.entrySet().stream()
              .filter(window -> counts.getOrDefault(window.getKey(), 0) < window.getValue())
              .findFirst()
              .map(window -> "window " + window.getKey() + " counts too little")
              .orElse(null);
        });
  }

  private interface Target {
    void put(String key, int value, long timestampMillis);
  }

  private interface Each {
    void apply(String key, int value, long timestampMillis, Target to);
  }

  private interface Condition {
    boolean holds(int value);
  }

  private static List<Record<String, Integer>> each(
      List<Record<String, Integer>> model, Each function) {
    List<Record<String, Integer>> result = new ArrayList<>();
    model.forEach(
        record ->
            function.apply(
                record.key(),
                record.value(),
                record.timestampMillis(),
                (k, v, t) -> result.add(new Record<>(k, v, t, null))));
    return result;
  }

  private static List<Record<String, Integer>> copied(List<Record<String, Integer>> model) {
    return each(model, (k, v, t, to) -> copies(v).forEach(c -> to.put(k, c, t)));
  }

  private static List<Record<String, Integer>> where(
      List<Record<String, Integer>> model, Condition condition) {
    return model.stream().filter(record -> condition.holds(record.value())).toList();
  }

  private static List<Record<String, Integer>> counted(List<Record<String, Integer>> model) {
    Map<String, Integer> counts = new HashMap<>();
    return each(model, (k, v, t, to) -> to.put(k, counts.merge(k, 1, Integer::sum), t));
  }

  private static List<Record<String, Integer>> summed(List<Record<String, Integer>> model) {
    Map<String, Integer> sums = new TreeMap<>();
    model.forEach(record -> sums.merge(record.key(), record.value(), Integer::sum));
    List<Record<String, Integer>> result = new ArrayList<>();
    sums.forEach((k, v) -> result.add(new Record<>(k, v, AT_THE_END, null)));
    return result;
  }

  private static List<Integer> copies(int value) {
    List<Integer> copies = new ArrayList<>();
    for (int i = 0; i < Math.floorMod(value, 4); i++) {
      copies.add(value + i);
    }
    return copies;
  }

  @SuppressWarnings("NullAway.Init") // the engine declares states before all else
  private static final class SumAtTheEnd implements Processor<String, Integer, String, Integer> {
    private ValueState<Integer> sum;

    @Override
    public void states(StateDeclarations states) {
      sum = states.value("sum", Integer.class);
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context)
        throws Exception {
      Integer before = sum.get();
      sum.set((before == null ? 0 : before) + value);
      context.timers().setEventTimer(AT_THE_END);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Integer> context)
        throws Exception {
      Integer total = sum.get();
      context.emit(key, total == null ? 0 : total);
    }
  }

  @SuppressWarnings("NullAway.Init") // the engine declares states before all else
  private static final class LastAtTheEnd implements Processor<String, Integer, String, Integer> {
    private ValueState<Integer> last;

    @Override
    public void states(StateDeclarations states) {
      last = states.value("last", Integer.class);
    }

    @Override
    public void process(
        String key, @Nullable Integer value, ProcessorContext<String, Integer> context)
        throws Exception {
      last.set(value);
      context.timers().setEventTimer(AT_THE_END);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Integer> context)
        throws Exception {
      Integer row = last.get();
      if (row != null) {
        context.emit(key, row);
      }
    }
  }
}
