package io.streamforge.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.WindowedStream;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.function.Aggregator;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.WindowForm;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.operator.Values;
import io.streamforge.operator.window.WindowOperators;
import io.streamforge.record.Record;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.testkit.Emitted;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.Punctuator;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The window operators against the reference models, over random windows, triggers, lateness, ways
 * of driving, and streams with ties, negative times, gaps, disorder and late records.
 *
 * <p>A failure names its seed: put it into {@code FIRST_SEED} and set {@code CASES} to 1.
 */
final class WindowModelTest {
  private static final long FIRST_SEED = 1;
  private static final int CASES = 1_000;
  private static final int TOPOLOGY_CASES = 150;

  private static final KeyKind<String> KEYS = KeyKinds.of(Serdes.string());

  /** What a family of random cases is about. */
  enum Family {
    TUMBLING,
    SLIDING,
    OVERLAPPING,
    GAPS,
    CALENDAR,
    GLOBAL,
    SESSIONS,
    START_OF_TIME,
    END_OF_TIME
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void operatorsDoWhatTheModelsSay(Family family) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      Case random = new Generator(family, seed).next();
      for (HarnessMode mode : modes(seed)) {
        try {
          check(random, mode);
        } catch (Throwable e) {
          throw new AssertionError(
              "seed " + seed + ", " + family + ", " + mode + "\n" + random + "\n" + e.getMessage(),
              e);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void topologiesDoWhatTheModelsSayAtAnyParallelismAndInterleaving(Family family) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + TOPOLOGY_CASES; seed++) {
      Case random = new Generator(family, seed).next();
      try {
        checkTopology(random, seed);
      } catch (Throwable e) {
        throw new AssertionError(
            "seed " + seed + ", " + family + "\n" + random + "\n" + e.getMessage(), e);
      }
    }
  }

  private static void checkTopology(Case random, long seed) {
    Topology topology = topology(random);
    Node.WindowNode node = (Node.WindowNode) topology.graph().node("windows");
    boolean bySlice = WindowForm.of(node).kind() == WindowForm.Kind.SLICES && !random.sorted;
    Outcome outcome =
        new WindowModel(
                random.windowing,
                bySlice,
                key -> KEYS.hash((String) key),
                values -> Join.text(values, random.sorted))
            .run(random.events);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).stress(seed).detectAliases(false).start()) {
      random.events.forEach(event -> apply(driver, event));
      List<Line> lines = new ArrayList<>();
      read(lines, driver, "", "out");
      if (random.windowing.lateOutput() != null) {
        read(lines, driver, "late", "windows/late");
      }
      List<Line> expected =
          outcome.emitted().stream()
              .map(e -> new Line(e.output(), e.record().key(), 0, e.record().toString()))
              .toList();
      assertThat(perKey(lines)).isEqualTo(perKey(expected));
      NodeMetrics books = driver.metrics().node("windows");
      assertThat(books.balanced()).as("%s", books).isTrue();
      assertThat(books.processed()).isEqualTo(outcome.processed());
      assertThat(books.late()).isEqualTo(outcome.late());
      assertThat(books.droppedTotal()).isEqualTo(outcome.dropped());
    }
  }

  private static void apply(TopologyTestDriver driver, OperatorEvent event) {
    TestInput<Object, Object> input = driver.input("in");
    if (event instanceof OperatorEvent.Arrival arrival) {
      Record<Object, Object> record = arrival.record();
      input.pipe(record.key(), record.value(), record.timestampMillis());
    } else if (event instanceof OperatorEvent.ClockTime clock) {
      driver.advanceTime(Duration.ofMillis(clock.millis() - driver.clock().wallMillis()));
    } else if (event instanceof OperatorEvent.Watermark watermark) {
      input.advanceWatermark(watermark.millis());
    }
  }

  private static void read(
      List<Line> lines, TopologyTestDriver driver, String output, String name) {
    for (Record<Object, Object> record : driver.output(name).readAll()) {
      lines.add(new Line(output, record.key(), 0, record.toString()));
    }
  }

  private static Topology topology(Case random) {
    Node.Windowing windowing = random.windowing;
    WindowedStream<String, String> windowed =
        Topology.builder("random")
            .source(
                "in",
                CollectionSource.of(List.of(Record.of("k", "v", 0))),
                WatermarkStrategy.<String, String>punctuated((k, v, t) -> Punctuator.NONE))
            .groupByKey()
            .window(windowing.windows())
            .allowedLateness(windowing.allowedLateness());
    if (windowing.earlyTrigger() != null) {
      windowed = windowed.trigger(Values.cast(windowing.earlyTrigger()));
    }
    if (windowing.lateTrigger() != null) {
      windowed = windowed.lateTrigger(Values.cast(windowing.lateTrigger()));
    }
    if (windowing.accumulation() == Node.Accumulation.DISCARDING) {
      windowed = windowed.discarding();
    }
    if (windowing.lateOutput() != null) {
      windowed = windowed.lateTo(SideOutput.of("late"));
    }
    return windowed
        .aggregate("windows", new Join(random.mergeable, random.sorted))
        .sink("out", Sinks.none())
        .build();
  }

  /** Plainly, and in one other way. */
  private static List<HarnessMode> modes(long seed) {
    List<HarnessMode> all = HarnessMode.all(seed);
    return List.of(HarnessMode.PLAIN, all.get(1 + (int) (seed % (all.size() - 1))));
  }

  private static void check(Case random, HarnessMode mode) throws Exception {
    Node.WindowNode node =
        new Node.WindowNode(
            "windows",
            Port.main("in"),
            random.windowing,
            new Node.Aggregation("join", new Join(random.mergeable, random.sorted), null));
    boolean bySlice = WindowForm.of(node).kind() == WindowForm.Kind.SLICES && !random.sorted;
    Outcome outcome =
        new WindowModel(
                random.windowing,
                bySlice,
                key -> KEYS.hash((String) key),
                values -> Join.text(values, random.sorted))
            .run(random.events);

    OperatorHarness harness =
        new OperatorHarness(
                KEYS, Serdes.string(), mode, context -> WindowOperators.create(node, context))
            .apply(random.events);
    harness.close();

    assertThat(perKey(emitted(harness))).isEqualTo(perKey(expected(outcome)));
    checkOrder(harness, outcome);
    assertThat(harness.counters().processed).isEqualTo(outcome.processed());
    assertThat(harness.counters().late).isEqualTo(outcome.late());
    assertThat(harness.counters().droppedTotal()).isEqualTo(outcome.dropped());
    assertThat(harness.counters().droppedByReason().keySet()).isSubsetOf("in no window");
    if (random.ends) {
      assertThat(harness.liveWindows()).as("windows that are left").isZero();
      assertThat(harness.eventTimers()).as("timers that are left").isZero();
      assertThat(
              harness
                  .states()
                  .table(io.streamforge.state.StateDescriptor.derived("sessions"))
                  .size())
          .as("keys that are left")
          .isZero();
    }
  }

  /** An emission, with which key and output it belongs to. */
  private record Line(String output, Object key, int event, String text) {}

  private static List<Line> emitted(OperatorHarness harness) {
    return harness.emitted().stream()
        .map(e -> new Line(e.output(), e.record().key(), e.event(), e.toString()))
        .toList();
  }

  private static List<Line> expected(Outcome outcome) {
    return outcome.emitted().stream()
        .map(e -> new Line(e.output(), e.record().key(), e.event(), e.toString()))
        .toList();
  }

  /** In the order of each key and output; of the order between keys {@link #checkOrder} knows. */
  private static String perKey(List<Line> lines) {
    List<Line> sorted = new ArrayList<>(lines);
    sorted.sort(
        Comparator.comparing(Line::event)
            .thenComparing(Line::output)
            .thenComparing(line -> (String) line.key()));
    return String.join("\n", sorted.stream().map(Line::text).toList());
  }

  private static void checkOrder(OperatorHarness harness, Outcome outcome) {
    Map<List<Object>, List<Expected>> places = new HashMap<>();
    for (Expected e : outcome.emitted()) {
      places
          .computeIfAbsent(List.of(e.event(), e.output(), e.record().key()), k -> new ArrayList<>())
          .add(e);
    }
    Expected before = null;
    for (Emitted e : harness.emitted()) {
      Expected place = places.get(List.of(e.event(), e.output(), e.record().key())).remove(0);
      if (before != null && before.event() == place.event()) {
        assertThat(before.order())
            .as("%s comes before %s", before, place)
            .isLessThanOrEqualTo(place.order());
      }
      before = place;
    }
  }

  /** While sessions are kept, a table keyed by key and window never shows two that overlap. */
  @Test
  void retractionsLeaveNoOverlappingSessionsVisible() throws Exception {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      Case random = new Generator(Family.SESSIONS, seed).next();
      Node.WindowNode node =
          new Node.WindowNode(
              "windows",
              Port.main("in"),
              new Node.Windowing(
                  random.windowing.windows(),
                  Duration.ofDays(1),
                  random.windowing.earlyTrigger(),
                  random.windowing.lateTrigger(),
                  Node.Accumulation.ACCUMULATING,
                  null),
              new Node.Aggregation("join", new Join(true, true), null));
      OperatorHarness harness =
          new OperatorHarness(
                  KEYS,
                  Serdes.string(),
                  HarnessMode.PLAIN,
                  context -> WindowOperators.create(node, context))
              .apply(random.events);
      Map<Object, Map<Window, Object>> visible = new HashMap<>();
      for (var record : harness.output("")) {
        Windowed<?> result = (Windowed<?>) record.value();
        Map<Window, Object> ofKey = visible.computeIfAbsent(record.key(), k -> new HashMap<>());
        if (result.isRetraction()) {
          assertThat(ofKey.remove(result.window())).as("seed %s: %s", seed, record).isNotNull();
        } else {
          ofKey.put(result.window(), result.value());
          for (Window other : ofKey.keySet()) {
            assertThat(other.equals(result.window()) || !other.overlaps(result.window()))
                .as("seed %s: %s beside %s%n%s", seed, record, other, random)
                .isTrue();
          }
        }
      }
    }
  }

  /** A random case. */
  private record Case(
      Node.Windowing windowing,
      boolean mergeable,
      boolean sorted,
      boolean ends,
      List<OperatorEvent> events) {
    @Override
    public String toString() {
      return windowing
          + (mergeable ? ", merges" : ", does not merge")
          + "\n"
          + String.join("\n", events.stream().map(Object::toString).toList());
    }
  }

  private static final class Generator {
    private final Family family;
    private final Random random;

    Generator(Family family, long seed) {
      this.family = family;
      this.random = new Random(seed * 31 + family.ordinal());
    }

    private int from(int low, int high) {
      return low + random.nextInt(high - low + 1);
    }

    private static Duration millis(long millis) {
      return Duration.ofMillis(millis);
    }

    Case next() {
      boolean extreme = family == Family.START_OF_TIME || family == Family.END_OF_TIME;
      Windows windows = windows();
      boolean sessions = windows instanceof Windows.SessionWindows;
      long unit = family == Family.CALENDAR ? 7_000_000 : 1;
      boolean overlapping = family == Family.OVERLAPPING;
      long lateness = random.nextBoolean() ? 0 : from(1, overlapping ? 40 : 15) * unit;
      Node.Windowing windowing =
          new Node.Windowing(
              windows,
              millis(lateness),
              overlapping ? null : trigger(extreme, unit),
              overlapping ? null : trigger(extreme, unit),
              !overlapping && random.nextInt(3) == 0
                  ? Node.Accumulation.DISCARDING
                  : Node.Accumulation.ACCUMULATING,
              random.nextInt(4) == 0 ? null : SideOutput.of("late"));
      boolean ends = random.nextInt(4) != 0;
      return new Case(
          windowing,
          sessions || overlapping || random.nextInt(3) != 0,
          sessions || extreme,
          ends,
          events(ends, unit));
    }

    private Windows windows() {
      return switch (family) {
        case TUMBLING -> Windows.tumbling(millis(from(1, 12))).offset(millis(from(-30, 30)));
        case SLIDING -> sliding(from(2, 20));
        case OVERLAPPING -> {
          int slide = from(1, 5);
          yield Windows.sliding(millis(slide * from(4, 12) + from(0, 4)), millis(slide))
              .offset(millis(from(-30, 30)));
        }
        case GAPS -> {
          int size = from(1, 8);
          yield Windows.sliding(millis(size), millis(size + from(1, 10)))
              .offset(millis(from(-30, 30)));
        }
        case CALENDAR -> {
          ZoneId zone =
              ZoneId.of(
                  List.of("Europe/Berlin", "America/St_Johns", "Pacific/Apia", "UTC")
                      .get(random.nextInt(4)));
          yield switch (random.nextInt(3)) {
            case 0 -> Windows.days(zone);
            case 1 -> Windows.weeks(zone);
            default -> Windows.months(zone);
          };
        }
        case GLOBAL -> Windows.global();
        case SESSIONS -> Windows.session(millis(from(1, 8)));
        case START_OF_TIME, END_OF_TIME ->
            random.nextInt(4) == 0 ? Windows.session(millis(from(1, 8))) : sliding(from(1, 20));
      };
    }

    private Windows sliding(int size) {
      return Windows.sliding(millis(size), millis(from(1, size))).offset(millis(from(-30, 30)));
    }

    private Trigger<String> trigger(boolean extreme, long unit) {
      return switch (random.nextInt(extreme ? 6 : 8)) {
        case 0 -> Triggers.everyRecords(from(1, 3));
        case 1 -> Triggers.everyProcessingTime(millis(from(1, 10)));
        case 2 -> new EveryRecordsByMemory<>(from(1, 4));
        case 6 -> Triggers.everyEventTime(millis(from(1, 6) * unit));
        default -> null;
      };
    }

    private List<OperatorEvent> events(boolean ends, long unit) {
      int count = from(3, 40);
      int keys = from(1, 4);
      int spread = from(1, 25);
      long now = start();
      long last = Long.MIN_VALUE;
      long clock = 0;
      List<OperatorEvent> events = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int what = random.nextInt(10);
        if (what < 7) {
          long time = valid(plus(now, from(-spread, spread / 2) * unit));
          events.add(OperatorEvent.record("k" + random.nextInt(keys), "v" + i + " ", time));
          now = plus(now, from(0, 3) * unit);
        } else if (what < 9) {
          long watermark = plus(now, from(-spread, 3) * unit);
          if (watermark > last) {
            last = watermark;
            events.add(OperatorEvent.watermark(watermark));
          }
        } else {
          clock += from(1, 8);
          events.add(OperatorEvent.clock(clock));
        }
      }
      if (ends && last < Long.MAX_VALUE) {
        events.add(OperatorEvent.watermark(Long.MAX_VALUE));
      }
      return events;
    }

    private long start() {
      return switch (family) {
        case START_OF_TIME -> Long.MIN_VALUE + from(1, 30);
        case END_OF_TIME -> Long.MAX_VALUE - from(1, 90);
        // Around two changes of daylight saving, the skipped day of Apia, and the epoch.
        case CALENDAR ->
            List.of(1_774_742_400_000L, 1_289_000_000_000L, 1_325_200_000_000L, 0L)
                .get(random.nextInt(4));
        default -> from(-40, 40);
      };
    }

    private static long plus(long left, long right) {
      try {
        return Math.addExact(left, right);
      } catch (ArithmeticException e) {
        return right < 0 ? Long.MIN_VALUE + 1 : Long.MAX_VALUE - 1;
      }
    }

    private static long valid(long time) {
      return Math.max(Long.MIN_VALUE + 1, Math.min(Long.MAX_VALUE - 1, time));
    }
  }

  /** Puts values behind each other, so that order and repetition show. Changes its accumulator. */
  private record Join(boolean mergeable, boolean sorted)
      implements Aggregator<String, List<String>, String> {
    @Override
    public List<String> create() {
      return new ArrayList<>();
    }

    @Override
    public List<String> add(List<String> accumulator, String value) {
      accumulator.add(value);
      return accumulator;
    }

    @Override
    public List<String> merge(List<String> into, List<String> from) {
      into.addAll(from);
      return into;
    }

    @Override
    public String result(List<String> accumulator) {
      return text(accumulator, sorted);
    }

    static String text(List<?> values, boolean sorted) {
      List<String> texts = new ArrayList<>(values.stream().map(Object::toString).toList());
      if (sorted) {
        texts.sort(null);
      }
      return String.join("", texts).trim();
    }
  }
}
