package io.streamforge.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.StreamJoin;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.operator.Values;
import io.streamforge.operator.join.JoinOperators;
import io.streamforge.record.Record;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.state.StateDescriptor;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.Punctuator;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Joins against the reference model: random bounds, windows, kinds, lateness and ways of driving;
 * rows with ties, duplicates, nulls, disorder, and late ones.
 *
 * <p>A failure names its seed: put it into {@code FIRST_SEED} and set {@code CASES} to 1.
 */
final class JoinModelTest {
  private static final long FIRST_SEED = 1;
  private static final int CASES = 1_000;
  private static final int TOPOLOGY_CASES = 150;

  private static final KeyKind<String> KEYS = KeyKinds.of(Serdes.string());

  /** What a family of random cases is about. */
  enum Family {
    BETWEEN,
    TUMBLING,
    SLIDING,
    GAPS,
    CALENDAR,
    GLOBAL,
    SESSIONS,
    START_OF_TIME,
    END_OF_TIME
  }

  @ParameterizedTest
  @EnumSource(Family.class)
  void operatorsDoWhatTheModelSays(Family family) {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      Case random = new Generator(family, seed).next();
      List<HarnessMode> all = HarnessMode.all(seed);
      for (HarnessMode mode :
          List.of(HarnessMode.PLAIN, all.get(1 + (int) (seed % (all.size() - 1))))) {
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
  void topologiesDoWhatTheModelSaysAtAnyParallelismAndInterleaving(Family family) {
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

  private static String join(@Nullable Object left, @Nullable Object right) {
    return left + "+" + right;
  }

  private static void check(Case random, HarnessMode mode) throws Exception {
    Outcome outcome = new JoinModel(random.node, JoinModelTest::join).run(random.events);
    OperatorHarness harness =
        new OperatorHarness(
                KEYS,
                List.of(Serdes.string(), Serdes.string()),
                mode,
                context -> JoinOperators.create(random.node, context))
            .apply(random.events);
    harness.close();

    assertThat(harness.emitted().stream().map(Object::toString).sorted().toList())
        .isEqualTo(outcome.emitted().stream().map(Object::toString).sorted().toList());
    assertThat(harness.counters().processed).isEqualTo(outcome.processed());
    assertThat(harness.counters().late).isEqualTo(outcome.late());
    assertThat(harness.counters().droppedTotal()).isEqualTo(outcome.dropped());
    if (random.ends) {
      for (String state : List.of("rows", "sessions")) {
        assertThat(harness.states().table(StateDescriptor.derived(state)).size())
            .as("keys that are left in '%s'", state)
            .isZero();
      }
      assertThat(harness.eventTimers()).as("timers that are left").isZero();
    }
  }

  private static void checkTopology(Case random, long seed) {
    Outcome outcome = new JoinModel(random.node, JoinModelTest::join).run(random.events);
    Random restarts = new Random(seed);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology(random.node))
            .stress(seed)
            .checkpoints()
            .detectAliases(false)
            .start()) {
      List<String> emitted = new ArrayList<>();
      boolean restarted = false;
      for (int i = 0; i < random.events.size(); i++) {
        if (seed % 2 == 0 && restarts.nextInt(10) == 0) {
          driver.restart(1 + restarts.nextInt(4));
          restarted = true;
        }
        apply(driver, random.events.get(i));
        read(emitted, driver, "", "out");
        if (random.node.lateLeft() != null) {
          read(emitted, driver, "late-left", "join/late-left");
          read(emitted, driver, "late-right", "join/late-right");
        }
      }
      List<String> expected =
          outcome.emitted().stream().map(e -> e.output() + ": " + e.record()).sorted().toList();
      assertThat(emitted.stream().sorted().toList()).isEqualTo(expected);
      NodeMetrics books = driver.metrics().node("join");
      assertThat(books.balanced()).as("%s", books).isTrue();
      if (!restarted) { // which begins new books
        assertThat(books.processed()).isEqualTo(outcome.processed());
        assertThat(books.late()).isEqualTo(outcome.late());
        assertThat(books.droppedTotal()).isEqualTo(outcome.dropped());
      }
    }
  }

  private static void apply(TopologyTestDriver driver, OperatorEvent event) {
    if (event instanceof OperatorEvent.Arrival arrival) {
      Record<@Nullable Object, @Nullable Object> record = arrival.record();
      driver
          .<Object, Object>input(arrival.input() == 0 ? "left" : "right")
          .pipe(Values.cast(record.key()), Values.cast(record.value()), record.timestampMillis());
    } else if (event instanceof OperatorEvent.Watermark watermark) {
      driver.input("left").advanceWatermark(watermark.millis());
      driver.input("right").advanceWatermark(watermark.millis());
    }
  }

  private static void read(
      List<String> emitted, TopologyTestDriver driver, String output, String name) {
    for (Record<Object, Object> record : driver.output(name).readAll()) {
      emitted.add(output + ": " + record);
    }
  }

  private static Topology topology(Node.JoinNode node) {
    TopologyBuilder builder = Topology.builder("random");
    StreamJoin<String, String, String> join =
        stream(builder, "left").joinWith(stream(builder, "right"));
    if (node.matching() instanceof Node.Matching.Between between) {
      join = join.between(between.from(), between.to());
    } else if (node.matching() instanceof Node.Matching.InWindow in) {
      join = join.window(in.windows());
    }
    join = join.allowedLateness(node.allowedLateness());
    if (node.lateLeft() != null) {
      join = join.lateLeftTo(SideOutput.of(node.lateLeft().name()));
    }
    if (node.lateRight() != null) {
      join = join.lateRightTo(SideOutput.of(node.lateRight().name()));
    }
    return (switch (node.kind()) {
          case INNER -> join.inner("join", (left, right) -> join(left, right));
          case LEFT -> join.left("join", (left, right) -> join(left, right));
          case OUTER -> join.outer("join", (left, right) -> join(left, right));
        })
        .sink("out", Sinks.none())
        .build();
  }

  private static KeyedStream<String, String> stream(TopologyBuilder builder, String name) {
    return builder
        .source(
            name,
            CollectionSource.of(List.of(Record.of("k", "v", 0))),
            WatermarkStrategy.<String, String>punctuated((k, v, t) -> Punctuator.NONE))
        .groupByKey();
  }

  /** A random case. */
  private record Case(Node.JoinNode node, boolean ends, List<OperatorEvent> events) {
    @Override
    public String toString() {
      return node + "\n" + String.join("\n", events.stream().map(Object::toString).toList());
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
      long unit = family == Family.CALENDAR ? 7_000_000 : 1;
      boolean lateOutputs = random.nextInt(3) == 0;
      Node.JoinNode node =
          new Node.JoinNode(
              "join",
              Port.main("left"),
              Port.main("right"),
              Node.JoinKind.values()[random.nextInt(3)],
              matching(),
              millis(random.nextBoolean() ? 0 : from(1, 15) * unit),
              lateOutputs ? SideOutput.of("late-left") : null,
              lateOutputs ? SideOutput.of("late-right") : null,
              (left, right) -> join(left, right));
      boolean ends = random.nextInt(4) != 0;
      return new Case(node, ends, events(ends, unit));
    }

    private Node.Matching matching() {
      return switch (family) {
        case BETWEEN -> between();
        case TUMBLING ->
            new Node.Matching.InWindow(
                Windows.tumbling(millis(from(1, 12))).offset(millis(from(-30, 30))));
        case SLIDING -> new Node.Matching.InWindow(sliding(from(2, 20)));
        case GAPS -> {
          int size = from(1, 8);
          yield new Node.Matching.InWindow(
              Windows.sliding(millis(size), millis(size + from(1, 10))));
        }
        case CALENDAR -> {
          ZoneId zone =
              ZoneId.of(
                  List.of("Europe/Berlin", "America/St_Johns", "Pacific/Apia", "UTC")
                      .get(random.nextInt(4)));
          yield new Node.Matching.InWindow(
              random.nextBoolean() ? Windows.days(zone) : Windows.weeks(zone));
        }
        case GLOBAL -> new Node.Matching.InWindow(Windows.global());
        case SESSIONS -> new Node.Matching.InWindow(Windows.session(millis(from(1, 8))));
        case START_OF_TIME, END_OF_TIME ->
            switch (random.nextInt(3)) {
              case 0 -> between();
              case 1 -> new Node.Matching.InWindow(Windows.session(millis(from(1, 8))));
              default -> new Node.Matching.InWindow(sliding(from(1, 20)));
            };
      };
    }

    private Node.Matching between() {
      int low = from(-12, 8);
      return new Node.Matching.Between(millis(low), millis(low + from(0, 12)));
    }

    private Windows sliding(int size) {
      return Windows.sliding(millis(size), millis(from(1, size))).offset(millis(from(-30, 30)));
    }

    private List<OperatorEvent> events(boolean ends, long unit) {
      int count = from(3, 40);
      int keys = from(1, 3);
      int spread = from(1, 25);
      long now = start();
      long last = Long.MIN_VALUE;
      List<OperatorEvent> events = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (random.nextInt(10) < 7) {
          long time = valid(plus(now, from(-spread, spread / 2) * unit));
          String value = random.nextInt(12) == 0 ? null : "v" + (random.nextBoolean() ? i : 0);
          events.add(
              OperatorEvent.record(random.nextInt(2), "k" + random.nextInt(keys), value, time));
          now = plus(now, from(0, 3) * unit);
        } else {
          // Nothing comes behind the final watermark.
          long watermark = Math.min(plus(now, from(-spread, 3) * unit), Long.MAX_VALUE - 1);
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

    private long start() {
      return switch (family) {
        case START_OF_TIME -> Long.MIN_VALUE + from(1, 30);
        case END_OF_TIME -> Long.MAX_VALUE - from(1, 90);
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
}
