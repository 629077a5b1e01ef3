package io.streamforge.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.Fakes;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.WindowedStream;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import io.streamforge.source.Source;
import io.streamforge.source.SourceOptions;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every problem that build() finds, with its exact text. */
class TopologyProblemsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** What is wrong, how it is built, and what is said. */
  record Case(String name, Consumer<TopologyBuilder> topology, List<String> problems) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case of(String name, Consumer<TopologyBuilder> topology, String... problems) {
    return new Case(name, topology, List.of(problems));
  }

  private static Stream<String, Long> numbers(TopologyBuilder builder) {
    return builder.source(
        "in", Fakes.source(String.class, Long.class), WatermarkStrategy.monotonous());
  }

  private static Case window(
      String name,
      Windows windows,
      Function<WindowedStream<String, Long>, WindowedStream<String, Long>> settings,
      String... problems) {
    return of(
        name,
        builder ->
            settings
                .apply(numbers(builder).groupByKey().window(windows))
                .count("w")
                .sink("out", Fakes.sink()),
        problems);
  }

  private static Case source(String name, SourceOptions<String, Long> options, String... problems) {
    return of(
        name,
        builder ->
            builder
                .source("in", Fakes.source(String.class, Long.class), options)
                .sink("out", Fakes.sink()),
        problems);
  }

  private static Case watermarks(
      String name, WatermarkStrategy<String, Long> strategy, String... problems) {
    return source(name, SourceOptions.watermarks(strategy), problems);
  }

  private static Case named(String name, String problem) {
    return of(
        "node named '" + name + "'",
        builder -> numbers(builder).filter(name, (key, value) -> true).sink("out", Fakes.sink()),
        problem);
  }

  /** Of a topology with nodes 'count' and 'total'. */
  private static Case renamed(String name, Consumer<TopologyBuilder> renaming, String... problems) {
    return of(
        name,
        builder -> {
          KeyedStream<String, Long> keyed = numbers(builder).groupByKey();
          keyed.count("count").sink("counts", Fakes.sink());
          keyed.sum("total", value -> value).sink("totals-out", Fakes.sink());
          renaming.accept(builder);
        },
        problems);
  }

  private static Case keyed(
      String name, Function<Stream<String, Long>, KeyedStream<?, ?>> grouped, String... problems) {
    return of(
        name,
        builder -> grouped.apply(numbers(builder)).count("n").sink("out", Fakes.sink()),
        problems);
  }

  private static Case process(
      String name, Function<KeyedStream<String, Long>, Stream<?, ?>> process, String... problems) {
    return of(
        name,
        builder -> process.apply(numbers(builder).groupByKey()).sink("out", Fakes.sink()),
        problems);
  }

  static final String RULE = Names.RULE;

  static List<Case> cases() {
    return List.of(
        // names
        named(
            "",
            "topology has a filter without a name (node 2)\n      → call it 'filter', for example"),
        named(
            "Größe (cm)",
            "'Größe (cm)' is not a legal name: it contains 'ö'\n      → call it 'Gro-e-cm'; "
                + RULE),
        named(
            "a b",
            "'a b' is not a legal name: it contains white space\n      → call it 'a-b'; " + RULE),
        named(
            "a/b",
            "'a/b' is not a legal name: '/' is reserved for parts of nodes\n      → call it 'a-b'; "
                + RULE),
        named("-a", "'-a' is not a legal name: it begins with '-'\n      → call it 'a'; " + RULE),
        named("日本", "'日本' is not a legal name: it contains '日'\n      → call it 'filter'; " + RULE),
        named(
            "x".repeat(101),
            "'"
                + "x".repeat(101)
                + "' is not a legal name: it has 101 characters\n      → call it '"
                + "x".repeat(100)
                + "'; "
                + RULE),
        of(
            "two nodes of one name",
            builder ->
                numbers(builder)
                    .mapValues("a", value -> value)
                    .filter("a", (key, value) -> true)
                    .sink("out", Fakes.sink()),
            "'a' is the name of a mapValues and of a filter\n      → call the other 'a-2'; names are"
                + " what identifies state and metrics"),
        of(
            "three sinks of one name",
            builder -> {
              Stream<String, Long> in = numbers(builder);
              in.sink("out", Fakes.sink());
              in.sink("out", Fakes.sink());
              in.sink("out", Fakes.sink());
            },
            "'out' is the name of a sink and of a sink and of a sink\n      → call the others 'out-2'"
                + " and 'out-3'; names are what identifies state and metrics"),
        of(
            "a branch with an illegal name, and one twice",
            builder ->
                numbers(builder)
                    .split("s")
                    .branch("a b", (key, value) -> true, way -> way.sink("x", Fakes.sink()))
                    .branch("c", (key, value) -> true, way -> way.sink("y", Fakes.sink()))
                    .branch("c", (key, value) -> true),
            "'s' has a branch with the illegal name 'a b': it contains white space\n      → call it"
                + " 'a-b'; "
                + RULE,
            "'s' has several branches named 'c'\n      → call the other 'c-2'"),
        // names of before
        renamed(
            "a name of before for a node that does not exist",
            builder -> builder.previously("totals", "sums").previously("x", "y"),
            "topology says what 'totals' was called before, but has no such node\n      → did you"
                + " mean 'total'?",
            "topology says what 'x' was called before, but has no such node\n      → name a node"
                + " first, then what it was called: previously(node, oldName)"),
        renamed(
            "the name of before in the place of that of now",
            builder -> builder.previously("sum", "total"),
            "topology says what 'sum' was called before, but has no such node\n      → did you mean"
                + " previously(\"total\", \"sum\")? What the node is called now comes first"),
        renamed(
            "a name of before that no node can have had",
            builder -> builder.previously("total", "in/by-key"),
            "'total' was previously 'in/by-key', which no node can be called: '/' is reserved for"
                + " parts of nodes\n      → say what it was called; "
                + RULE),
        renamed(
            "the same name before and now",
            builder -> builder.previously("total", "total"),
            "'total' was previously 'total', which is its name\n      → say what it was called, or"
                + " take this away"),
        renamed(
            "nodes that exchange their names",
            builder -> builder.previously("total", "count").previously("count", "total"),
            "'count' was previously 'total', which is the name of another node\n      → call the"
                + " other node differently as long as a checkpoint may have 'count' as 'total'; to"
                + " exchange two names go over a third one, with a checkpoint at each step",
            "'total' was previously 'count', which is the name of another node\n      → call the"
                + " other node differently as long as a checkpoint may have 'total' as 'count'; to"
                + " exchange two names go over a third one, with a checkpoint at each step"),
        renamed(
            "two nodes with one name of before",
            builder -> builder.previously("total", "sum").previously("count", "sum"),
            "'total' was previously 'sum', and so was 'count'\n      → leave it to the one that goes"
                + " on with what 'sum' had"),
        process(
            "states whose names of before make no sense",
            keyed -> keyed.process("p", Renamed::new),
            "'p' has state 'a', previously 'b', which is the name of another state\n     "
                + " → call the other state differently as long as a checkpoint may have 'a' as 'b';"
                + " to exchange two names go over a third one, with a checkpoint at each step",
            "'p' has state 'b', previously 'b', which is its name\n      → say what it was"
                + " called, or take this away",
            "'p' has state 'c', previously 'old one', which no state can be called: it"
                + " contains white space\n      → say what it was called; "
                + RULE,
            "'p' has state 'e', previously 'older', and so was 'd'\n      → leave it to"
                + " the one that goes on with what 'older' had"),
        // streams that go nowhere
        of(
            "nothing at all",
            builder -> {},
            "topology has no source\n      → begin it with source(name, source)",
            "topology has no sink\n      → end each stream with sink(name, sink)"),
        of(
            "a stream without a sink",
            builder -> numbers(builder).peek("look", (key, value) -> {}),
            "'look' goes nowhere: nothing reads what this peek emits\n      → read it, or end it with"
                + " sink(name, sink); Sinks.none() drops what it gets"),
        of(
            "a branch that nothing reads",
            builder ->
                numbers(builder)
                    .split("s")
                    .branch("big", (key, value) -> value > 9, big -> big.sink("out", Fakes.sink()))
                    .otherwise("rest"),
            "'s' has a branch 'rest' that nothing reads\n      → read stream(\"rest\"), or end it with"
                + " sink(name, Sinks.none())"),
        of(
            "a split without branches",
            builder -> {
              Stream<String, Long> in = numbers(builder);
              in.split("s");
              in.sink("out", Fakes.sink());
            },
            "'s' has no branches\n      → add some with branch(name, predicate)"),
        of(
            "a branch behind otherwise",
            builder ->
                numbers(builder)
                    .split("s")
                    .otherwise("rest", way -> way.sink("x", Fakes.sink()))
                    .branch("late", (key, value) -> true, way -> way.sink("y", Fakes.sink())),
            "'s' has a branch 'late' behind otherwise(\"rest\"), which leaves nothing for it\n     "
                + " → declare otherwise(...) last"),
        of(
            "a stream of another builder",
            builder -> {
              Stream<String, Long> other =
                  Topology.builder("other")
                      .source("theirs", Fakes.source(String.class, Long.class));
              numbers(builder).merge("all", other).sink("out", Fakes.sink());
            },
            "'all' reads 'theirs', a stream of another builder (topology 'other')\n      → declare"
                + " both in one builder, or connect the topologies through a sink and a source"),
        of(
            "a branch that does not exist",
            builder -> {
              var split = numbers(builder).split("s");
              split.branch("a", (key, value) -> true, way -> way.sink("x", Fakes.sink()));
              split.stream("b").sink("out", Fakes.sink());
            },
            "'out' reads branch 'b' of 's', which has no such branch\n      → read one of 'a'"),
        of(
            "a side output of a node that has none",
            builder -> {
              Stream<String, Long> in = numbers(builder);
              in.sink("all", Fakes.sink());
              in.sideOutput(SideOutput.of("late")).sink("out", Fakes.sink());
            },
            "'out' reads side output 'late' of 'in', which has no such output\n      → only windows"
                + " with lateTo(...), joins with lateLeftTo(...) or lateRightTo(...), and process have"
                + " side outputs"),
        of(
            "late records of a window that keeps none",
            builder -> {
              var counts =
                  numbers(builder).groupByKey().window(Windows.tumbling(MINUTE)).count("w");
              counts.sink("all", Fakes.sink());
              counts.sideOutput(SideOutput.of("late")).sink("out", Fakes.sink());
            },
            "'out' reads side output 'late' of 'w', which has no such output\n      → declare it"
                + " before the aggregate: lateTo(SideOutput.of(\"late\"))"),
        of(
            "late records under another name",
            builder -> {
              var counts =
                  numbers(builder)
                      .groupByKey()
                      .window(Windows.tumbling(MINUTE))
                      .lateTo(SideOutput.of("tardy"))
                      .count("w");
              counts.sink("all", Fakes.sink());
              counts.sideOutput(SideOutput.of("late")).sink("out", Fakes.sink());
            },
            "'out' reads side output 'late' of 'w', which has no such output\n      → read 'tardy',"
                + " which has its late records"),
        // sources
        of(
            "one source object in two nodes",
            builder -> {
              Source<String, Long> source = Fakes.source(String.class, Long.class);
              builder.source("a", source).sink("x", Fakes.sink());
              builder.source("b", source).sink("y", Fakes.sink());
            },
            "'b' reads the same source object as 'a'\n      → make a source object for each, or read"
                + " the stream of 'a' twice"),
        source(
            "a negative rate",
            SourceOptions.<String, Long>defaults().maxRate(-1),
            "'in' has a maxRate of -1.0 records a second\n      → make it a positive number, or 0 for"
                + " as fast as possible"),
        source(
            "a rate that is no number",
            SourceOptions.<String, Long>defaults().maxRate(Double.NaN),
            "'in' has a maxRate of NaN records a second\n      → make it a positive number, or 0 for"
                + " as fast as possible"),
        watermarks(
            "a negative out-of-orderness",
            WatermarkStrategy.boundedOutOfOrderness(Duration.ofSeconds(-5)),
            "'in' has an out-of-orderness of -5s\n      → make it zero or more"),
        watermarks(
            "an idleness of zero",
            WatermarkStrategy.<String, Long>monotonous().idleAfter(Duration.ZERO),
            "'in' has an idleAfter of zero\n      → make it 1 ms or more"),
        watermarks(
            "a negative drift",
            WatermarkStrategy.<String, Long>monotonous().maxDrift(Duration.ofMillis(-1)),
            "'in' has a maxDrift of -1ms\n      → make it 1 ms or more"),
        watermarks(
            "a bound ahead that is too long",
            WatermarkStrategy.<String, Long>monotonous()
                .maxAhead(Duration.ofSeconds(Long.MAX_VALUE)),
            "'in' has a maxAhead of PT2562047788015215H30M7S, which is too long\n      → make it at"
                + " most 9223372036854775807 ms"),
        // windows
        window(
            "a window of no size",
            Windows.tumbling(Duration.ZERO),
            windows -> windows,
            "'w' has a window size of zero\n      → make it 1 ms or more"),
        window(
            "a window of negative size and slide",
            Windows.sliding(Duration.ofHours(-1), Duration.ofMinutes(-5)),
            windows -> windows,
            "'w' has a window size of -1h\n      → make it 1 ms or more",
            "'w' has a window slide of -5min\n      → make it 1 ms or more"),
        window(
            "a window of less than a millisecond",
            Windows.tumbling(Duration.ofNanos(500_000)),
            windows -> windows,
            "'w' has a window size of PT0.0005S, which is no whole milliseconds\n      → round it:"
                + " milliseconds are the unit of all timestamps"),
        window(
            "an offset that is no whole milliseconds",
            Windows.tumbling(MINUTE).offset(Duration.ofNanos(-1)),
            windows -> windows,
            "'w' has a window offset of PT-0.000000001S, which is no whole milliseconds\n      → round"
                + " it: milliseconds are the unit of all timestamps"),
        window(
            "a session without gap",
            Windows.session(Duration.ZERO),
            windows -> windows,
            "'w' has a session gap of zero\n      → make it 1 ms or more"),
        window(
            "a missing size",
            Windows.tumbling(null),
            windows -> windows,
            "'w' has no window size\n      → state it"),
        window(
            "a calendar without zone",
            Windows.days(null),
            windows -> windows,
            "'w' has calendar windows without a time zone\n      → name one, such as ZoneOffset.UTC"),
        window(
            "a negative lateness",
            Windows.tumbling(MINUTE),
            windows -> windows.allowedLateness(Duration.ofSeconds(-1)),
            "'w' has an allowed lateness of -1s\n      → make it zero or more"),
        window(
            "triggers that make no sense",
            Windows.tumbling(MINUTE),
            windows ->
                windows
                    .trigger(Triggers.everyRecords(0))
                    .lateTrigger(Triggers.everyProcessingTime(Duration.ZERO)),
            "'w' has a trigger every 0 records\n      → make it at least 1 record",
            "'w' has a late trigger period of zero\n      → make it 1 ms or more"),
        window(
            "a late output with an illegal name",
            Windows.tumbling(MINUTE),
            windows -> windows.lateTo(SideOutput.of("too late")),
            "'w' has a late output with the illegal name 'too late': it contains white space\n      →"
                + " call it 'too-late'; "
                + RULE),
        of(
            "windows over a source without event time",
            builder ->
                builder
                    .source("in", Fakes.source(String.class, Long.class))
                    .groupByKey()
                    .window(Windows.tumbling(MINUTE))
                    .count("w")
                    .sink("out", Fakes.sink()),
            "'w' has windows over source 'in', which has no event time\n      → give the source a"
                + " watermark strategy: source(\"in\", ...,"
                + " WatermarkStrategy.boundedOutOfOrderness(...))"),
        of(
            "windows over a source without timestamps",
            builder ->
                builder
                    .source("in", Fakes.lines(), WatermarkStrategy.monotonous())
                    .groupBy("g", (key, line) -> line)
                    .window(Windows.tumbling(MINUTE))
                    .count("w")
                    .sink("out", Fakes.sink()),
            "'w' has windows over source 'in', whose records have no timestamps\n      → add"
                + " timestamps(...) to the source's watermark strategy"),
        of(
            "a trigger of event time over a source without any",
            builder ->
                builder
                    .source("in", Fakes.source(String.class, Long.class))
                    .groupByKey()
                    .window(Windows.global())
                    .trigger(Triggers.everyEventTime(MINUTE))
                    .count("w")
                    .sink("out", Fakes.sink()),
            "'w' has a trigger of event time over source 'in', which has no event time\n      → give"
                + " the source a watermark strategy: source(\"in\", ...,"
                + " WatermarkStrategy.boundedOutOfOrderness(...))"),
        of(
            "sessions of an aggregate that does not merge",
            builder ->
                numbers(builder)
                    .groupByKey()
                    .window(Windows.session(MINUTE))
                    .aggregate("w", new Last())
                    .sink("out", Fakes.sink()),
            "'w' has session windows, which merge, and an aggregate that does not\n      → implement"
                + " merge and have mergeable() return true, or choose other windows"),
        // keys
        of(
            "records without keys",
            builder ->
                builder
                    .source("in", Fakes.lines())
                    .groupByKey()
                    .count("n")
                    .sink("out", Fakes.sink()),
            "'in/by-key' groups records that have no keys\n      → give them some: groupBy(name, (key,"
                + " value) -> ...)"),
        of(
            "keys of unknown type",
            builder ->
                numbers(builder)
                    .map("m", (key, value) -> KeyValue.of(value, key))
                    .groupByKey("g")
                    .count("n")
                    .sink("out", Fakes.sink()),
            "'g' has keys of unknown type: no function names it\n      → state the types with"
                + " typed(KEY.class, VALUE.class) behind it"),
        keyed(
            "keys of type Object",
            in -> in.groupBy("g", (key, value) -> (Object) key),
            "'g' has keys of type Object, which have no deterministic form: java.lang.Object says too"
                + " little\n      → state the types with typed(KEY.class, VALUE.class) behind it"),
        keyed(
            "keys that are lists of something",
            in -> in.groupBy("g", (key, value) -> List.of(key)),
            "'g' has keys of type List, which have no deterministic form: List without element"
                + " type\n      → state the types with typed(KEY.class, VALUE.class) behind it"),
        keyed(
            "keys of a class that has no serde",
            in -> in.groupBy("g", (key, value) -> new Thread()),
            "'g' has keys of type Thread, which have no deterministic form: class java.lang.Thread is"
                + " not one of the built-in types\n      → use a key of another type, or state a deterministic serde with typed(keySerde, valueSerde)"
                + " behind it"),
        keyed(
            "keys whose serde is not deterministic",
            in ->
                in.groupBy("g", (key, value) -> key).typed(new Vague<String>(), new Vague<Long>()),
            "'g' has keys whose serde 'vague' is not deterministic: equal keys may have different"
                + " bytes\n      → use a key of another type, or state a deterministic serde with"
                + " typed(keySerde, valueSerde) behind it"),
        // processors
        process(
            "a supplier that returns null",
            keyed -> keyed.<String, Long>process("p", () -> null),
            "'p' has a supplier that returned null\n      → make a new processor at each call, as with"
                + " MyProcessor::new"),
        process(
            "a supplier that fails",
            keyed ->
                keyed.<String, Long>process(
                    "p",
                    () -> {
                      throw new IllegalStateException("no connection");
                    }),
            "'p' has a supplier that failed: java.lang.IllegalStateException: no connection\n      →"
                + " make a new processor at each call, as with MyProcessor::new"),
        process(
            "a supplier with an assertion that fails",
            keyed ->
                keyed.<String, Long>process(
                    "p",
                    () -> {
                      throw new AssertionError("too early");
                    }),
            "'p' has a supplier that failed: java.lang.AssertionError: too early\n      → make a new"
                + " processor at each call, as with MyProcessor::new"),
        process(
            "a supplier that returns one processor for ever",
            keyed -> {
              States shared = new States();
              return keyed.process("p", () -> shared);
            },
            "'p' has a supplier that returned the same processor twice\n      → make a new processor"
                + " at each call, as with MyProcessor::new"),
        process(
            "states that cannot be declared",
            keyed -> keyed.process("p", () -> new States("a b", "a", "a")),
            "'p' has a state with the illegal name 'a b': it contains white space\n      → call it"
                + " 'a-b'; "
                + RULE,
            "'p' declares several states named 'a'\n      → call the other 'a-2'"),
        process(
            "a state whose type has no serde",
            keyed -> keyed.process("p", Unstorable::new),
            "'p' declares state 'threads' of type Thread, which has no serde: class java.lang.Thread is"
                + " not one of the built-in types\n      → make it a record of types that have one, or"
                + " name its serde with @SerializedBy(MySerde.class)",
            "'p' declares state 'any' of type Object, which has no serde: java.lang.Object says too"
                + " little\n      → make it a record of types that have one, or name its serde with"
                + " @SerializedBy(MySerde.class)"),
        process(
            "times to live that are none",
            keyed -> keyed.process("p", Forgetful::new),
            "'p' has a time to live of state 'now' of zero\n      → make it 1 ms or more",
            "'p' has a time to live of state 'before' of -1ms\n      → make it 1 ms or more",
            "'p' has a time to live of state 'nanos' of PT0.000000001S, which is no whole"
                + " milliseconds\n      → round it: milliseconds are the unit of all timestamps",
            "'p' has a time to live of state 'ages' of "
                + Duration.ofSeconds(Long.MAX_VALUE)
                + ", which is too long\n      → make it at most 9223372036854775807 ms"),
        of(
            "a time to live over a source without event time",
            builder ->
                builder
                    .source("in", Fakes.source(String.class, Long.class))
                    .groupByKey()
                    .process("p", Lasting::new)
                    .sink("out", Fakes.sink()),
            "'p' has state 'event' that expires by event time over source 'in', which has no event"
                + " time\n      → give the source a watermark strategy: source(\"in\", ...,"
                + " WatermarkStrategy.boundedOutOfOrderness(...))"),
        process(
            "states(...) that does more than declare",
            keyed -> keyed.process("p", Hasty::new),
            "'p' has a processor whose states(...) failed: java.lang.IllegalStateException: state 'n'"
                + " is used while it is being declared\n      → let states(...) only declare state and"
                + " keep the handles; open() is for the rest"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void problemIsReportedWithNodeAndRemedy(Case topology) {
    TopologyBuilder builder = Topology.builder("test");
    topology.topology().accept(builder);

    TopologyInvalidException error =
        catchThrowableOfType(TopologyInvalidException.class, builder::build);

    assertThat(error).as("the topology was accepted").isNotNull();
    assertThat(error.problems())
        .extracting(Problem::render)
        .containsExactlyElementsOf(topology.problems());
  }

  @Test
  void allProblemsAreReportedAtOnceInOrderOfTheNodes() {
    TopologyBuilder builder = Topology.builder("Word Count");
    builder
        .source("in", Fakes.source(String.class, Long.class))
        .groupByKey()
        .window(Windows.tumbling(Duration.ZERO))
        .count("per minute");

    assertThatThrownBy(builder::build)
        .hasMessage(
            "TOPOLOGY_INVALID: topology 'Word Count' has 5 problems:\n"
                + "  1. topology has the illegal name 'Word Count': it contains white space\n"
                + "      → call it 'Word-Count'; "
                + RULE
                + "\n"
                + "  2. 'per minute' is not a legal name: it contains white space\n"
                + "      → call it 'per-minute'; "
                + RULE
                + "\n"
                + "  3. 'per minute' goes nowhere: nothing reads what this count emits\n"
                + "      → read it, or end it with sink(name, sink); Sinks.none() drops what it"
                + " gets\n"
                + "  4. 'per minute' has a window size of zero\n"
                + "      → make it 1 ms or more\n"
                + "  5. 'per minute' has windows over source 'in', which has no event time\n"
                + "      → give the source a watermark strategy: source(\"in\", ...,"
                + " WatermarkStrategy.boundedOutOfOrderness(...))\n"
                + "  Remedy: mend each of them as its → line says.")
        .isInstanceOfSatisfying(
            TopologyInvalidException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.TOPOLOGY_INVALID));
  }

  @Test
  void emptyNameOfATopologyIsAProblem() {
    TopologyBuilder builder = Topology.builder("");
    numbers(builder).sink("out", Fakes.sink());

    assertThatThrownBy(builder::build)
        .hasMessageContaining(
            "1. topology has an empty name\n      → name it, for example 'orders'");
  }

  @Test
  void globalWindowsNeedNoEventTime() {
    TopologyBuilder builder = Topology.builder("test");
    builder
        .source("in", Fakes.lines())
        .groupBy("g", (key, line) -> line)
        .window(Windows.global())
        .count("w")
        .sink("out", Fakes.sink());

    assertThat(builder.build().graph().problems()).isEmpty();
  }

  @Test
  void lateOutputThatNothingReadsIsFine() {
    TopologyBuilder builder = Topology.builder("test");
    numbers(builder)
        .groupByKey()
        .window(Windows.tumbling(MINUTE))
        .lateTo(SideOutput.of("late"))
        .count("w")
        .sink("out", Fakes.sink());

    assertThat(builder.build().graph().problems()).isEmpty();
  }

  @Test
  void processorThatOnlyUsesItsSideOutputGoesSomewhere() {
    TopologyBuilder builder = Topology.builder("test");
    numbers(builder)
        .groupByKey()
        .process("p", States::new)
        .sideOutput(SideOutput.of("side"))
        .sink("out", Fakes.sink());

    assertThat(builder.build().graph().problems()).isEmpty();
  }

  @Test
  void policiesThatNobodyCanFollowAreProblems() {
    TopologyBuilder builder = Topology.builder("test");
    numbers(builder)
        .rebalance("spread")
        .onError(ErrorPolicy.skip())
        .peek("look", (key, value) -> {})
        .onError(ErrorPolicy.deadLetter(Fakes.sink()))
        .sink("out", Fakes.sink());
    builder.onError("spraed", ErrorPolicy.skip()).onError("look/dead-letters", ErrorPolicy.skip());

    assertThatThrownBy(builder::build)
        .hasMessageContaining(
            "topology has an error policy for 'spraed', but no such node\n      → did you mean"
                + " 'spread'?")
        .hasMessageContaining(
            "'spread' has an error policy, and no function that could reject a record\n      → give"
                + " the policy to the node whose function it is meant for")
        .hasMessageContaining(
            "'look/dead-letters' has an error policy, and is where dead letters go\n      → take the"
                + " policy away; a dead letter that cannot be written fails the job");
  }

  @Test
  void policyOfTheJobLeavesNodesAloneThatRejectNothing() {
    TopologyBuilder builder =
        Topology.builder("test").onError(ErrorPolicy.deadLetter(Fakes.sink()));
    numbers(builder).rebalance("spread").peek("look", (key, value) -> {}).sink("out", Fakes.sink());

    LogicalGraph graph = builder.build().graph();
    assertThat(graph.nodes().stream().map(Node::name).filter(name -> name.contains("/")))
        .containsExactlyInAnyOrder(
            graph.nodes().get(0).name() + "/dead-letters", "look/dead-letters", "out/dead-letters");
    assertThat(graph.rejecting(graph.node("look/dead-letters"))).isEqualTo(graph.node("look"));
    assertThat(graph.type(new Port("look", LogicalGraph.DEAD_LETTERS)).value())
        .isEqualTo(byte[].class);
  }

  @Test
  void sideOutputOfTheNameOfDeadLettersIsAnother() {
    TopologyBuilder builder = Topology.builder("test");
    numbers(builder).split("ways").branch("dead-letters", (key, value) -> true).stream(
            "dead-letters")
        .onError(ErrorPolicy.deadLetter(Fakes.sink()))
        .sink("out", Fakes.sink());

    assertThatThrownBy(builder::build)
        .hasMessageContaining(
            "'ways/dead-letters' is the name of output 'dead-letters' of 'ways' and of a sink");
  }

  @Test
  void graphMadeOfGarbageIsReportedAndNotThrown() {
    LogicalGraph graph =
        LogicalGraph.of(
            "garbage",
            List.of(
                new Node.SourceNode("lines", Fakes.lines(), SourceOptions.defaults()),
                new Node.FilterNode("a", Port.main("b"), (key, value) -> true, false),
                new Node.PeekNode("b", Port.main("a"), (key, value) -> {}),
                new Node.MapValuesNode("m", Port.main("line"), null, null),
                new Node.MergeNode("nothing", List.of()),
                new Node.SinkNode("out", Port.main("m"), Fakes.sink()),
                new Node.SinkNode("out2", Port.main("out"), Fakes.sink()),
                new Node.SinkNode("out3", new Port("lines", "x"), Fakes.sink())),
            Map.of(),
            Map.of("out", List.of("lines")),
            ErrorPolicies.FAIL);

    assertThat(graph.problems())
        .extracting(Problem::render)
        .containsExactly(
            "'lines' goes nowhere: nothing reads what this source emits\n      → read it, or end it"
                + " with sink(name, sink); Sinks.none() drops what it gets",
            "'a' reads its own output: a → b → a\n      → take one of these inputs away; records flow"
                + " one way only",
            "'m' reads 'line', which does not exist\n      → did you mean 'lines'?",
            "'m' has no function\n      → give it exactly one, of the value or of the key and the"
                + " value",
            "'nothing' goes nowhere: nothing reads what this merge emits\n      → read it, or end it"
                + " with sink(name, sink); Sinks.none() drops what it gets",
            "'nothing' merges nothing\n      → give it at least one stream",
            "'out' was previously 'lines', which is the name of another node\n      → call the other"
                + " node differently as long as a checkpoint may have 'out' as 'lines'; to exchange"
                + " two names go over a third one, with a checkpoint at each step",
            "'out2' reads 'out', which is a sink\n      → read what the sink reads",
            "'out3' reads side output 'x' of 'lines', which has no such output\n      → only windows"
                + " with lateTo(...), joins with lateLeftTo(...) or lateRightTo(...), and process have"
                + " side outputs");
  }

  /** An aggregate that does not merge. */
  static final class Last implements Aggregator<Long, Long, Long> {
    @Override
    public Long create() {
      return 0L;
    }

    @Override
    public Long add(Long accumulator, Long value) {
      return value;
    }

    @Override
    public Long merge(Long into, Long from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Long result(Long accumulator) {
      return accumulator;
    }

    @Override
    public boolean mergeable() {
      return false;
    }
  }

  static class States implements Processor<String, Long, String, Long> {
    private final String[] names;

    States(String... names) {
      this.names = names;
    }

    @Override
    public void states(StateDeclarations states) {
      for (String name : names) {
        states.value(name, Long.class);
      }
    }

    @Override
    public void process(String key, Long value, ProcessorContext<String, Long> context) {}
  }

  static final class Unstorable extends States {
    @Override
    public void states(StateDeclarations states) {
      states.map("threads", String.class, Thread.class);
      states.list("any", Object.class);
    }
  }

  static final class Forgetful extends States {
    @Override
    public void states(StateDeclarations states) {
      states.expiring(TimeToLive.of(Duration.ZERO)).longValue("now");
      states.expiring(TimeToLive.of(Duration.ofMillis(-1))).longValue("before");
      states.expiring(TimeToLive.of(Duration.ofNanos(1))).longValue("nanos");
      states.expiring(TimeToLive.of(Duration.ofSeconds(Long.MAX_VALUE))).longValue("ages");
    }
  }

  static final class Lasting extends States {
    @Override
    public void states(StateDeclarations states) {
      states.expiring(TimeToLive.of(MINUTE).inProcessingTime()).longValue("processing");
      states.expiring(TimeToLive.of(MINUTE)).longValue("event");
    }
  }

  static final class Renamed extends States {
    @Override
    public void states(StateDeclarations states) {
      states.previously("b").longValue("a");
      states.previously("b").longValue("b");
      states.previously("old one").longValue("c");
      states.previously("old").previously("older").longValue("d");
      states.expiring(TimeToLive.of(MINUTE)).previously("older").longValue("e");
    }
  }

  static final class Hasty extends States {
    @Override
    public void states(StateDeclarations states) {
      states.longValue("n").set(1);
    }
  }

  /** A serde that is not deterministic. */
  static final class Vague<T> implements Serde<T> {
    @Override
    public void write(T value, ByteWriter output) {
      throw new UnsupportedOperationException();
    }

    @Override
    public T read(ByteReader input) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean deterministic() {
      return false;
    }

    @Override
    public String name() {
      return "vague";
    }
  }
}
