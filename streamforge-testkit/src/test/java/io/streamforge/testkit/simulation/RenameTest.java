package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Branches;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.file.FileSink;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.KeyValue;
import io.streamforge.sink.Sink;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs go on when their nodes and states have other names. */
class RenameTest {
  private static final int KEYS = 7;
  private static final int RECORDS = 600;
  private static final long END_MILLIS = RECORDS * 10L;

  @TempDir Path directory;
  private final SteppedJobs jobs = new SteppedJobs();
  private final MarkedSink<String, Long> sink = new MarkedSink<>();

  /**
   * The names that some nodes have in a version of a topology: a new one in each.
   *
   * @param said whether the topology says what they were in the versions before
   */
  private record Version(int number, Set<String> renamed, boolean said) {
    static final Version FIRST = new Version(0, Set.of(), true);

    static Version of(int number, String... renamed) {
      return new Version(number, Set.of(renamed), true);
    }

    Version unsaid() {
      return new Version(number, renamed, false);
    }

    String name(String node) {
      return name(node, number);
    }

    private String name(String node, int version) {
      return version == 0 || !renamed.contains(node) ? node : node + "-" + version;
    }

    Topology build(TopologyBuilder builder) {
      for (String node : said ? renamed : Set.<String>of()) {
        IntStream.range(0, number).forEach(v -> builder.previously(name(node), name(node, v)));
      }
      return builder.build();
    }
  }

  private static Stream<String, Integer> numbers(
      TopologyBuilder builder, Version version, WatermarkStrategy<Object, Object> watermarks) {
    return builder
        .source(version.name("in"), SteppedJobs.numbers(RECORDS, KEYS), watermarks)
        .typed(Object.class, Object.class)
        .map(version.name("typed"), (k, v) -> KeyValue.of((String) k, (Integer) v))
        .typed(String.class, Integer.class);
  }

  /** Counts behind exchanges of all kinds: records are sent by ways/even, spread, all/by-key … */
  private static Topology counting(Version version, Sink<String, Long> sink) {
    TopologyBuilder builder = Topology.builder("counting");
    Branches<String, Integer> ways =
        numbers(builder, version, WatermarkStrategy.none())
            .split(version.name("ways"))
            .branch("even", (k, v) -> v % 2 == 0)
            .otherwise("odd");
    Stream<String, Integer> odd =
        ways.stream("odd")
            .rebalance(version.name("spread"))
            .mapValues(version.name("negative"), v -> -v);
    ways.stream("even")
        .merge(version.name("all"), odd)
        .groupByKey()
        .count(version.name("count"))
        .sink(version.name("out"), sink);
    return version.build(builder);
  }

  private static final String[] ALL = {
    "in", "typed", "ways", "spread", "negative", "all", "count", "out"
  };

  private static List<String> counts() {
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      counts.add("k" + i % KEYS + "=" + (i / KEYS + 1));
    }
    return counts;
  }

  private static List<String> shown(MarkedSink<String, Long> sink) {
    return sink.records().stream().map(r -> r.key() + "=" + r.value()).toList();
  }

  private SteppedJobs.Running start(
      Topology topology, int parallelism, UnaryOperator<CheckpointConfig> settings) {
    SteppedJobs.Running running = jobs.start(topology, parallelism, settings);
    assertThat(running.job.restoredFrom()).isPositive();
    return running;
  }

  private static void assertRefused(ThrowingCallable start, String... parts) {
    assertThatThrownBy(start)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_INCOMPATIBLE))
        .message()
        .contains(parts);
  }

  private static boolean hasState(Manifest manifest) {
    return manifest.nodes().stream()
        .anyMatch(node -> node.states().stream().anyMatch(state -> !state.chains().isEmpty()));
  }

  private static boolean hasRecordsFromOrTo(String node, Manifest manifest) {
    return manifest.nodes().stream()
        .anyMatch(
            part ->
                part.inFlight().stream()
                    .anyMatch(
                        flight ->
                            part.node().equals(node)
                                || flight.from().equals(node)
                                || flight.from().startsWith(node + "/")));
  }

  @Test
  void everyNodeIsRenamedAndRenamedAgain() {
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, sink), 4, CheckpointConfig::aligned),
        RenameTest::hasState);
    jobs.killBehind(
        start(counting(Version.of(1, ALL), sink), 2, CheckpointConfig::aligned),
        manifest -> hasState(manifest) && sink.records().size() > RECORDS / 2);
    // From a checkpoint of its own, which has the new names.
    jobs.killBehind(
        start(counting(Version.of(1, ALL), sink), 3, CheckpointConfig::aligned),
        RenameTest::hasState);
    jobs.finish(start(counting(Version.of(2, ALL), sink), 3, CheckpointConfig::aligned));

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void namesOfBeforeAreNotNeededOnceThereIsACheckpointWithTheNewOnes() {
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, sink), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    jobs.killBehind(
        start(counting(Version.of(1, ALL), sink), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    jobs.finish(start(counting(Version.of(1, ALL).unsaid(), sink), 2, CheckpointConfig::aligned));

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void renamedNodeIsNamedWithWhatToDoAndMayHaveItsOldNameBack() {
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, sink), 2, CheckpointConfig::aligned),
        RenameTest::hasState);

    assertRefused(
        () ->
            jobs.start(
                counting(Version.of(1, "in", "count", "out").unsaid(), sink),
                2,
                CheckpointConfig::aligned),
        "has what the topology has no place for:",
        "\n    node 'count': state 'aggregate'",
        "\n    source 'in': positions of 3 splits",
        "Say what has another name now: previously(node, oldName) of the topology's builder for a"
            + " node");
    jobs.killBehind(
        start(counting(Version.of(1, "in", "count", "out"), sink), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    assertRefused(
        () -> jobs.start(counting(Version.FIRST, sink), 2, CheckpointConfig::aligned),
        "\n    node 'count-1': state 'aggregate'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ways", "spread", "negative", "all", "count"})
  void recordsInFlightFindTheirWayWhereSenderOrReceiverIsRenamed(String node) {
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, sink), 4, SteppedJobs::atOnce),
        manifest -> hasRecordsFromOrTo(node, manifest));
    jobs.killBehind(
        start(counting(Version.of(1, node), sink), 2, SteppedJobs::atOnce),
        manifest -> hasRecordsFromOrTo(node + "-1", manifest));
    jobs.finish(start(counting(Version.of(2, node), sink), 3, SteppedJobs::atOnce));

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void allSendersAndReceiversAreRenamedAtOnce() {
    jobs.killWithRecordsInFlight(jobs.start(counting(Version.FIRST, sink), 4, SteppedJobs::atOnce));
    SteppedJobs.Running renamed =
        start(counting(Version.of(1, ALL), sink), 3, CheckpointConfig::aligned);
    jobs.finish(renamed);

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void recordsInFlightOfASenderThatIsGoneAreNamed() {
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, sink), 2, SteppedJobs::atOnce),
        manifest -> hasRecordsFromOrTo("spread", manifest));

    assertRefused(
        () -> jobs.start(counting(Version.of(1, "spread").unsaid(), sink), 2, SteppedJobs::atOnce),
        "\n    node 'negative': records on their way from 'spread'",
        "previously(node, oldName)",
        "change the topology behind a savepoint, which has none");
  }

  @Test
  void jobBeginsWithASavepointOfOtherNames() {
    SteppedJobs.Running first = jobs.start(counting(Version.FIRST, sink), 3, SteppedJobs::atOnce);
    jobs.run(first, () -> sink.records().size() > RECORDS / 3);
    CheckpointLog savepoint = jobs.savepoint(first, true);
    SteppedJobs.Running renamed =
        jobs.start(
            counting(Version.of(1, ALL), sink),
            2,
            SteppedJobs::atOnce,
            jobs.newStorage(3),
            savepoint);
    assertThat(renamed.job.restoredFrom()).isPositive();
    jobs.finish(renamed);

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void sourceThatHasEndedHasEndedUnderItsNewName() {
    jobs.finish(jobs.start(counting(Version.FIRST, sink), 2, CheckpointConfig::aligned));
    jobs.finish(start(counting(Version.of(1, ALL), sink), 3, CheckpointConfig::aligned));
    // The splits that had ended are in the checkpoint of the second start.
    jobs.finish(start(counting(Version.of(1, ALL).unsaid(), sink), 1, CheckpointConfig::aligned));

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(counts());
  }

  /** The newest of the renamed job are damaged, so the one before has the names of before. */
  @Test
  void olderCheckpointHasTheNamesOfBefore() {
    List<String> collected = new ArrayList<>();
    Sink<String, Long> plain = Sinks.forEach(r -> collected.add(r.key() + "=" + r.value()));
    UnaryOperator<CheckpointConfig> retaining = config -> config.retain(1_000);
    jobs.killBehind(jobs.start(counting(Version.FIRST, plain), 2, retaining), RenameTest::hasState);
    List<LogEntry.Published> before = SteppedJobs.published(jobs.storage());
    LogEntry.Published newest = before.get(before.size() - 1);
    jobs.killBehind(start(counting(Version.of(1, ALL), plain), 2, retaining), RenameTest::hasState);
    for (LogEntry.Published published : SteppedJobs.published(jobs.storage())) {
      if (published.position() > newest.position()) {
        jobs.damage(published);
      }
    }
    SteppedJobs.Running renamed = start(counting(Version.of(1, ALL), plain), 2, retaining);

    assertThat(renamed.job.restoredFrom()).isEqualTo(newest.number());
    jobs.finish(renamed);
    assertThat(collected).containsAll(counts());
  }

  /** Which of several numbers it is that comes last of each key. */
  private static Topology sums(
      Version version, String first, String second, Sink<String, Long> sink) {
    TopologyBuilder builder = Topology.builder("sums");
    KeyedStream<String, Integer> keyed =
        numbers(builder, version, WatermarkStrategy.none()).groupByKey("keys");
    keyed.sum(first, v -> 1L).sink("sums", sink);
    if (!second.isEmpty()) {
      keyed.sum(second, v -> 1_000L).sink("others", Sinks.none());
    }
    if (version.number > 0) {
      builder.previously("b", "a");
    }
    return builder.build();
  }

  @Test
  void checkpointThatHasBothNamesIsRefusedUnlessOneMayGo() {
    jobs.killBehind(
        jobs.start(sums(Version.FIRST, "a", "b", Sinks.none()), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    List<Long> sums = new ArrayList<>();
    Topology renamed = sums(Version.of(1), "b", "", Sinks.forEach(r -> sums.add(r.value())));

    assertRefused(
        () -> jobs.start(renamed, 2, CheckpointConfig::aligned),
        "has two names of what is one now:\n    node 'b', there 'b' and 'a'\n",
        "Name the node whose state may go in checkpoints.dropping",
        "take previously(...) away");
    jobs.finish(start(renamed, 2, config -> config.dropping("b")));
    assertThat(sums).contains((long) RECORDS / KEYS).allMatch(sum -> sum < 1_000);
  }

  @Test
  void nodeKeepsWhatIsThereUnderItsOwnNameWhereTheOldOneMayGo() {
    jobs.killBehind(
        jobs.start(sums(Version.FIRST, "a", "b", Sinks.none()), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    List<Long> sums = new ArrayList<>();
    Topology renamed = sums(Version.of(1), "b", "", Sinks.forEach(r -> sums.add(r.value())));
    jobs.finish(start(renamed, 2, config -> config.dropping("a")));

    assertThat(sums).isNotEmpty().allMatch(sum -> sum > 1_000);
  }

  /** Output that is published and hidden yet becomes visible, once, under the new name. */
  @Test
  void filesOfARenamedSinkAreThoseOfTheSinkBefore() throws IOException {
    FileSink<String, Long> files = FileSink.lines(directory);
    jobs.killBehind(
        jobs.start(counting(Version.FIRST, files), 3, CheckpointConfig::aligned),
        manifest -> namesOf(directory).stream().anyMatch(name -> name.endsWith(".uncommitted")));
    assertThat(lines()).isEmpty();
    SteppedJobs.Running renamed =
        start(counting(Version.of(1, ALL), files), 2, CheckpointConfig::aligned);
    assertThat(lines()).isNotEmpty();
    jobs.finish(renamed);

    assertThat(lines()).containsExactlyInAnyOrderElementsOf(counts());
    assertThat(namesOf(directory))
        .contains(".sink-counting-out%2D1")
        .doesNotContain(".sink-counting-out")
        .noneMatch(name -> name.endsWith(".uncommitted"));
  }

  private static List<String> namesOf(Path directory) {
    String[] names = directory.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : namesOf(directory)) {
      if (name.startsWith("part-")) {
        lines.addAll(Files.readAllLines(directory.resolve(name)));
      }
    }
    return lines;
  }

  /** Has a state of each kind, whose names are versions too, and timers. */
  private static final class Summary implements Processor<String, Integer, String, String> {
    private final Version version;
    private LongState sum;
    private ValueState<String> text;
    private ListState<Integer> list;
    private MapState<Integer, Long> map;
    private LongState lasting;

    Summary(Version version) {
      this.version = version;
    }

    @Override
    public void states(StateDeclarations states) {
      TimeToLive hour = TimeToLive.of(Duration.ofHours(1));
      sum = declaring("sum", states).longValue(version.name("sum"));
      text = declaring("text", states).value(version.name("text"), String.class);
      list = declaring("list", states).list(version.name("list"), Integer.class);
      map = declaring("map", states).map(version.name("map"), Integer.class, Long.class);
      lasting = declaring("lasting", states).expiring(hour).longValue(version.name("lasting"));
    }

    private StateDeclarations declaring(String state, StateDeclarations states) {
      StateDeclarations declaring = states;
      for (int v = 0; v < version.number && version.said; v++) {
        declaring = declaring.previously(version.name(state, v));
      }
      return declaring;
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      if (sum.add(1) == 1) {
        context.timers().setEventTimer(END_MILLIS / 2);
        context.timers().setEventTimer(END_MILLIS);
      }
      text.set(key.toUpperCase(Locale.ROOT));
      list.add(value);
      map.put(value % 5, sum.get());
      lasting.add(1);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      String all =
          timerMillis < END_MILLIS
              ? ""
              : " " + sum.get() + " " + list.get().size() + " " + map.entries().size();
      context.emit(key, timerMillis + " " + text.get() + all + (lasting.get() > 0 ? "" : "!"));
    }
  }

  private static final String[] NODES = {
    "in", "typed", "keys", "windows", "counted", "sessions", "visits", "summary", "out"
  };
  private static final String[] STATES = {"sum", "text", "list", "map", "lasting"};

  private static Topology stateful(Version version, Version states, Sink<String, String> out) {
    TopologyBuilder builder = Topology.builder("stateful");
    KeyedStream<String, Integer> keyed =
        numbers(builder, version, WatermarkStrategy.boundedOutOfOrderness(Duration.ZERO))
            .groupByKey(version.name("keys"));
    Stream<String, String> windows =
        keyed
            .window(Windows.tumbling(Duration.ofMillis(500)))
            .count(version.name("windows"))
            .mapValues(version.name("counted"), w -> w.startMillis() + ": " + w.value());
    Stream<String, String> visits =
        keyed
            .window(Windows.session(Duration.ofMillis(100)))
            .count(version.name("sessions"))
            .mapValues(version.name("visits"), w -> "session: " + w.value());
    keyed
        .process(version.name("summary"), () -> new Summary(states))
        .merge("both", windows, visits)
        .sink(version.name("out"), out);
    return version.build(builder);
  }

  private static List<String> statefulOutput() {
    TreeMap<String, Integer> windows = new TreeMap<>();
    TreeMap<String, Integer> sessions = new TreeMap<>();
    for (int i = 0; i < RECORDS; i++) {
      windows.merge("k" + i % KEYS + "=" + i * 10 / 500 * 500 + ": ", 1, Integer::sum);
      sessions.merge("k" + i % KEYS, 1, Integer::sum);
    }
    List<String> output = new ArrayList<>();
    windows.forEach((window, count) -> output.add(window + count));
    sessions.forEach(
        (key, count) -> {
          String upper = key.toUpperCase(Locale.ROOT);
          output.add(key + "=session: " + count);
          output.add(key + "=" + END_MILLIS / 2 + " " + upper);
          output.add(key + "=" + END_MILLIS + " " + upper + " " + count + " " + count + " " + 5);
        });
    return output;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void windowsTimersAndStatesOfProcessorsAreRenamed(boolean unaligned) {
    MarkedSink<String, String> out = new MarkedSink<>(false);
    UnaryOperator<CheckpointConfig> settings =
        unaligned ? SteppedJobs::atOnce : CheckpointConfig::aligned;
    jobs.killBehind(
        jobs.start(stateful(Version.FIRST, Version.FIRST, out), 3, settings),
        manifest -> hasState(manifest) && out.records().size() > 10);
    jobs.killBehind(
        start(
            stateful(Version.of(1, NODES), Version.of(1, STATES), out),
            unaligned ? 3 : 2,
            settings),
        manifest -> hasState(manifest) && out.records().size() > 20);
    jobs.finish(
        start(
            stateful(Version.of(2, NODES), Version.of(2, STATES), out),
            unaligned ? 3 : 4,
            settings));

    assertThat(out.records().stream().map(r -> r.key() + "=" + r.value()))
        .containsExactlyInAnyOrderElementsOf(statefulOutput());
  }

  @Test
  void renamedStateIsNamedWithWhatToDo() {
    jobs.killBehind(
        jobs.start(
            stateful(Version.FIRST, Version.FIRST, Sinks.none()), 2, CheckpointConfig::aligned),
        RenameTest::hasState);

    assertRefused(
        () ->
            jobs.start(
                stateful(
                    Version.of(1, "summary"), Version.of(1, "sum", "list").unsaid(), Sinks.none()),
                2,
                CheckpointConfig::aligned),
        "\n    node 'summary-1', there 'summary': state 'list'"
            + "\n    node 'summary-1', there 'summary': state 'sum'\n",
        "previously(oldName) of the state's declaration for a state");
  }

  /** Emits a number that grows, from one state or besides another. */
  private static final class Growing implements Processor<String, Integer, String, Long> {
    private final boolean both;
    private LongState sum;
    private LongState total;

    Growing(boolean both) {
      this.both = both;
    }

    @Override
    public void states(StateDeclarations states) {
      if (both) {
        sum = states.longValue("sum");
        total = states.longValue("total");
      } else {
        total = states.previously("sum").longValue("total");
      }
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Long> context) {
      if (both) {
        sum.add(1);
      }
      context.emit(key, total.add(both ? 1_000 : 1));
    }
  }

  private static Topology growing(boolean both, Sink<String, Long> sink) {
    TopologyBuilder builder = Topology.builder("growing");
    numbers(builder, Version.FIRST, WatermarkStrategy.none())
        .groupByKey("keys")
        .process("grow", () -> new Growing(both))
        .sink("out", sink);
    return builder.build();
  }

  @Test
  void checkpointThatHasBothNamesOfAStateIsRefusedUnlessTheOldOneMayGo() {
    jobs.killBehind(
        jobs.start(growing(true, Sinks.none()), 2, CheckpointConfig::aligned),
        RenameTest::hasState);
    List<Long> sums = new ArrayList<>();
    Topology renamed = growing(false, Sinks.forEach(r -> sums.add(r.value())));

    assertRefused(
        () -> jobs.start(renamed, 2, CheckpointConfig::aligned),
        "has two names of what is one now:\n    node 'grow': state 'total', there 'total' and 'sum'\n",
        "of two states of one node that is the one with the old name");
    jobs.finish(start(renamed, 2, config -> config.dropping("grow")));
    assertThat(sums).isNotEmpty().allMatch(sum -> sum > 1_000);
  }
}
