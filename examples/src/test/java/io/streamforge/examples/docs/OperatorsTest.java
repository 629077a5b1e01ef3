package io.streamforge.examples.docs;

import static io.streamforge.examples.docs.DocRun.at;
import static io.streamforge.examples.docs.DocRun.outputOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Branches;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.serde.TypeRef;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code docs/operators.md} shows of the operators without state. */
class OperatorsTest {
  private final Stream<String, String> lines = DocRun.strings();
  private final Stream<String, Long> amounts = DocRun.longs();

  @Test
  void map() {
    // tag::map[]
    Stream<String, Integer> lengths =
        lines.map("length", (key, line) -> KeyValue.of(line, line.length()));
    // end::map[]
    assertThat(outputOf(lengths, at(5, "k", "fox"))).containsExactly("fox=3@5");
  }

  @Test
  void mapReturningNullFails() {
    Stream<String, String> broken = lines.map("broken", (key, line) -> nothing());
    assertThatThrownBy(() -> outputOf(broken, at(5, "k", "fox")))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("the mapper returned null instead of a KeyValue");
  }

  private static KeyValue<String, String> nothing() {
    return null;
  }

  @Test
  void mapValues() {
    // tag::mapValues[]
    Stream<String, Integer> lengths = lines.mapValues("length", line -> line.length());
    // end::mapValues[]
    assertThat(outputOf(lengths, at(5, "k", "fox"))).containsExactly("k=3@5");
  }

  @Test
  void mapValuesWithKey() {
    // tag::mapValuesWithKey[]
    Stream<String, String> marked = lines.mapValuesWithKey("mark", (key, line) -> key + ":" + line);
    // end::mapValuesWithKey[]
    assertThat(outputOf(marked, at(5, "k", "fox"))).containsExactly("k=k:fox@5");
  }

  @Test
  void flatMap() {
    // tag::flatMap[]
    Stream<String, Integer> both =
        lines.flatMap(
            "both", (key, line) -> List.of(KeyValue.of(key, line.length()), KeyValue.of(line, 0)));
    // end::flatMap[]
    assertThat(outputOf(both, at(5, "k", "fox"))).containsExactly("k=3@5", "fox=0@5");
  }

  @Test
  void flatMapStream() {
    // tag::flatMapStream[]
    Stream<Integer, String> letters =
        lines.flatMapStream(
            "letters",
            (key, line) -> line.chars().mapToObj(c -> KeyValue.of(c, Character.toString(c))));
    // end::flatMapStream[]
    assertThat(outputOf(letters, at(5, "k", "ab"))).containsExactly("97=a@5", "98=b@5");
  }

  @Test
  void flatMapTo() {
    // tag::flatMapTo[]
    Stream<String, Integer> positions =
        lines.<String, Integer>flatMapTo(
            "positions",
            (key, line, out) -> {
              for (int i = 0; i < line.length(); i++) {
                out.emit(line.substring(i, i + 1), i);
              }
            });
    // end::flatMapTo[]
    assertThat(outputOf(positions, at(5, "k", "ab"))).containsExactly("a=0@5", "b=1@5");
  }

  @Test
  void flatMapValues() {
    // tag::flatMapValues[]
    Stream<String, String> words =
        lines.flatMapValues("split", line -> Arrays.asList(line.split(" ")));
    // end::flatMapValues[]
    assertThat(outputOf(words, at(5, "k", "the fox"))).containsExactly("k=the@5", "k=fox@5");
  }

  @Test
  void flatMapValuesReturningNullEmitsNothing() {
    Stream<String, String> none = lines.flatMapValues("none", line -> noWords());
    try (DocRun run = DocRun.start(none)) {
      run.pipe(at(5, "k", "the fox"));
      assertThat(run.read()).isEmpty();
      assertThat(run.metrics().node("none").processed()).isEqualTo(1);
    }
  }

  private static List<String> noWords() {
    return null;
  }

  @Test
  void flatMapValuesStream() {
    // tag::flatMapValuesStream[]
    Stream<String, String> words =
        lines.flatMapValuesStream("split", line -> Arrays.stream(line.split(" ")));
    // end::flatMapValuesStream[]
    assertThat(outputOf(words, at(5, "k", "the fox"))).containsExactly("k=the@5", "k=fox@5");
  }

  @Test
  void flatMapValuesTo() {
    // tag::flatMapValuesTo[]
    Stream<String, Integer> countdown =
        lines.<Integer>flatMapValuesTo(
            "countdown",
            (line, out) -> {
              for (int i = line.length(); i > 0; i--) {
                out.emit(i);
              }
            });
    // end::flatMapValuesTo[]
    assertThat(outputOf(countdown, at(5, "k", "fox"))).containsExactly("k=3@5", "k=2@5", "k=1@5");
  }

  @Test
  void filter() {
    // tag::filter[]
    Stream<String, Long> large = amounts.filter("large", (key, amount) -> amount >= 100);
    Stream<String, Long> small = amounts.filterNot("small", (key, amount) -> amount >= 100);
    // end::filter[]
    large.sink("large-out", Sinks.none());
    try (DocRun run = DocRun.start(small)) {
      run.pipe(at(1, "k", 99L), at(2, "k", 100L));
      assertThat(DocRun.strings(run.driver().output("large-out"))).containsExactly("k=100@2");
      assertThat(run.read()).containsExactly("k=99@1");
      assertThat(run.metrics().node("large").processed()).isEqualTo(2);
      assertThat(run.metrics().node("large").out()).isEqualTo(1);
    }
  }

  @Test
  void selectKey() {
    // tag::selectKey[]
    Stream<Integer, String> byLength = lines.selectKey("by-length", (key, line) -> line.length());
    // end::selectKey[]
    assertThat(outputOf(byLength, at(5, "k", "fox"))).containsExactly("3=fox@5");
  }

  @Test
  void peek() {
    List<String> seen = new ArrayList<>();
    // tag::peek[]
    Stream<String, String> same = lines.peek("look", (key, line) -> seen.add(key + " " + line));
    // end::peek[]
    assertThat(outputOf(same, at(5, "k", "fox"))).containsExactly("k=fox@5");
    assertThat(seen).containsExactly("k fox");
  }

  @Test
  void merge() {
    // tag::merge[]
    TopologyBuilder builder = Topology.builder("orders");
    Stream<Void, String> shop = builder.source("shop", Sources.values("tea"));
    Stream<Void, String> web = builder.source("web", Sources.values("milk"));
    Stream<Void, String> all = shop.merge("all", web);
    // end::merge[]
    try (TopologyTestDriver driver = TopologyTestDriver.of(all.sink("out", Sinks.none()).build())) {
      TestInput<Void, String> first = driver.input("shop");
      TestInput<Void, String> second = driver.input("web");
      first.pipe(null, "tea", 2);
      second.pipe(null, "milk", 1);
      assertThat(driver.output("out").readValues()).containsExactly("tea", "milk");
    }
  }

  @Test
  void branches() {
    // tag::branches[]
    Branches<String, Long> bySize =
        amounts
            .split("by-size")
            .branch("large", (key, amount) -> amount >= 100)
            .branch("refund", (key, amount) -> amount < 0)
            .otherwise("small");
    Stream<String, Long> large = bySize.stream("large");
    Stream<String, Long> refunds = bySize.stream("refund");
    Stream<String, Long> small = bySize.stream("small");
    // end::branches[]
    large.sink("large-out", Sinks.none());
    refunds.sink("refund-out", Sinks.none());
    try (DocRun run = DocRun.start(small)) {
      run.pipe(at(1, "k", 100L), at(2, "k", -5L), at(3, "k", 5L));
      assertThat(DocRun.strings(run.driver().output("large-out"))).containsExactly("k=100@1");
      assertThat(DocRun.strings(run.driver().output("refund-out"))).containsExactly("k=-5@2");
      assertThat(run.read()).containsExactly("k=5@3");
    }
  }

  @Test
  void branchesInOneChain() {
    // tag::branches-in-place[]
    Topology topology =
        amounts
            .split("by-size")
            .branch(
                "large",
                (key, amount) -> amount >= 100,
                large -> large.sink("review", Sinks.none()))
            .otherwise("small", small -> small.sink("accept", Sinks.none()))
            .topology()
            .build();
    // end::branches-in-place[]
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<String, Long> input = driver.input(DocRun.SOURCE);
      input.pipe("k", 100L, 1).pipe("k", 5L, 2);
      assertThat(driver.output("review").readValues()).containsExactly(100L);
      assertThat(driver.output("accept").readValues()).containsExactly(5L);
    }
  }

  @Test
  void whatNoBranchTakesIsDroppedAndCounted() {
    Stream<String, Long> large =
        amounts.split("by-size").branch("large", (key, amount) -> amount >= 100).stream("large");
    try (DocRun run = DocRun.start(large)) {
      run.pipe(at(1, "k", 5L));
      assertThat(run.read()).isEmpty();
      assertThat(run.metrics().node("by-size").droppedTotal()).isEqualTo(1);
    }
  }

  @Test
  void rebalance() {
    // tag::rebalance[]
    Stream<String, String> spread = lines.rebalance("spread");
    // end::rebalance[]
    assertThat(outputOf(spread, at(5, "k", "fox"))).containsExactly("k=fox@5");
  }

  @Test
  void groupBy() {
    // tag::groupBy[]
    KeyedStream<Integer, String> byLength =
        lines.groupBy("by-length", (key, line) -> line.length());
    // end::groupBy[]
    assertThat(outputOf(byLength.count("count"), at(1, "k", "fox"), at(2, "k", "dog")))
        .containsExactly("3=1@1", "3=2@2");
  }

  @Test
  void groupByKey() {
    // tag::groupByKey[]
    KeyedStream<String, String> byKey = lines.groupByKey();
    // end::groupByKey[]
    assertThat(outputOf(byKey.count("count"), at(1, "k", "fox"), at(2, "k", "dog")))
        .containsExactly("k=1@1", "k=2@2");
  }

  @Test
  void groupingByNullFails() {
    Stream<String, Long> counts = lines.groupByKey("by-key").count("count");
    assertThatThrownBy(
            () -> outputOf(counts, DocRun.<@Nullable String, String>record(null, "x", 1)))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NULL_KEY);
              assertThat(e.context().node()).isEqualTo("by-key");
            });
  }

  @Test
  void typed() {
    // tag::typed[]
    Stream<String, List<String>> words =
        lines
            .mapValues("split", line -> Arrays.asList(line.split(" ")))
            .typed(new TypeRef<String>() {}, new TypeRef<List<String>>() {});
    // end::typed[]
    assertThat(outputOf(words, at(5, "k", "the fox"))).containsExactly("k=[the, fox]@5");
  }

  @Test
  void timestampsAndHeadersGoThroughStatelessOperators() {
    Headers trace = Headers.of("trace", "42");
    Stream<String, Long> counts =
        lines
            .mapValues("upper", line -> line.toUpperCase(java.util.Locale.ROOT))
            .flatMapValues("split", line -> Arrays.asList(line.split(" ")))
            .groupByKey()
            .count("count");
    assertThat(outputOf(counts, new Record<>("k", "the fox", 5, trace)))
        .containsExactly("k=1@5[trace=42]", "k=2@5[trace=42]");
  }

  @Test
  void functionsMayThrowCheckedExceptionsAndSeeNullValues() {
    Stream<String, String> shown = lines.mapValues("show", line -> "<" + line + ">");
    assertThat(outputOf(shown, DocRun.<String, @Nullable String>record("k", null, 1)))
        .containsExactly("k=<null>@1");
  }
}
