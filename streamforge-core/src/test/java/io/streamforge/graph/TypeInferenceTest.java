package io.streamforge.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Branches;
import io.streamforge.Fakes;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.function.Aggregates;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.function.ValueMapper;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.TypeRef;
import io.streamforge.sink.Sink;
import io.streamforge.time.TimestampExtractor;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeInferenceTest {
  record Order(String customer, long amount) {}

  private final TopologyBuilder builder = Topology.builder("types");

  private Stream<String, Order> orders() {
    return builder.source("orders", Fakes.source(String.class, Order.class));
  }

  private Stream<String, Order> timed() {
    return builder.source(
        "orders", Fakes.source(String.class, Order.class), WatermarkStrategy.monotonous());
  }

  /** The types of a node's main output, as {@code explain} shows them. */
  private String types(String node) {
    return types(Port.main(node));
  }

  private String types(Port port) {
    StreamType type = builder.build().graph().type(port);
    return TypeNames.of(type.key()) + ", " + TypeNames.of(type.value());
  }

  private static <K, V> Sink<K, V> sink() {
    return Fakes.sink();
  }

  @Test
  void sourceNamesItsTypes() {
    orders().sink("out", sink());

    assertThat(types("orders")).isEqualTo("String, Order");
  }

  @Test
  void lambdaNamesWhatItReturns() {
    orders().mapValues("amount", order -> order.amount()).sink("out", sink());

    assertThat(types("amount")).isEqualTo("String, Long");
  }

  @Test
  void methodReferenceNamesWhatItReturnsWithItsArguments() {
    orders().mapValues("tags", TypeInferenceTest::tags).sink("out", sink());

    assertThat(types("tags")).isEqualTo("String, List<String>");
  }

  private static List<String> tags(Order order) {
    return List.of(order.customer());
  }

  @Test
  void classNamesItsFullTypes() {
    orders().map("pair", new ToPair()).sink("out", sink());

    assertThat(types("pair")).isEqualTo("Long, List<String>");
  }

  private static final class ToPair
      implements KeyValueMapper<String, Order, KeyValue<Long, List<String>>> {
    @Override
    public KeyValue<Long, List<String>> apply(String key, Order order) {
      return KeyValue.of(order.amount(), tags(order));
    }
  }

  @Test
  void elementsAreThoseOfTheIterableAndNotTheFirstTypeArgument() {
    orders().flatMapValues("parts", new ToTagged()).sink("out", sink());
    orders2().flatMap("pairs", new ToPairs()).sink("out2", sink());

    assertThat(types("parts")).isEqualTo("String, String");
    assertThat(types("pairs")).isEqualTo("Long, String");
  }

  private abstract static class Tagged<T, E> implements Iterable<E> {}

  private static final class ToTagged implements ValueMapper<Order, Tagged<Integer, String>> {
    @Override
    public Tagged<Integer, String> apply(Order order) {
      throw new UnsupportedOperationException("never run");
    }
  }

  private static final class ToPairs
      implements KeyValueMapper<String, Order, List<? extends KeyValue<Long, ? extends String>>> {
    @Override
    public List<KeyValue<Long, String>> apply(String key, Order order) {
      return List.of();
    }
  }

  @Test
  void typeVariableNamesNothingAndTheNextLambdaDoes() {
    orders()
        .mapValues("same", new Same<>())
        .mapValues("amount", order -> order.amount())
        .sink("out", sink());

    assertThat(types("same")).isEqualTo("String, Order");
  }

  @Test
  void typeVariableWithoutAnythingElseIsNoType() {
    orders().mapValues("same", new Same<>()).sink("out", sink());

    assertThat(types("same")).isEqualTo("String, ?");
  }

  private static final class Same<T> implements ValueMapper<T, T> {
    @Override
    public T apply(T value) {
      return value;
    }
  }

  @Test
  void elementsOfAnIterableAreNamedByTheNextLambda() {
    orders()
        .flatMap("parts", (key, order) -> List.of(KeyValue.of(order.amount(), order.customer())))
        .filter("some", (amount, customer) -> amount > 1)
        .groupByKey()
        .count("count")
        .sink("out", sink());

    assertThat(types("parts")).isEqualTo("Long, String");
    assertThat(types("count")).isEqualTo("Long, Long");
  }

  @Test
  void elementsOfAnIterableAreNamedByALambdaBehindNodesThatPassOn() {
    orders()
        .flatMapValues("parts", order -> List.of(order.customer()))
        .rebalance("spread")
        .merge("alone")
        .mapValues("length", part -> part.length())
        .sink("out", sink());

    assertThat(types("parts")).isEqualTo("String, String");
    assertThat(types("alone")).isEqualTo("String, String");
  }

  @Test
  void timestampExtractorNamesTheTypesOfASource() {
    TimestampExtractor<String, Order> amount = (key, order, timestamp) -> order.amount();
    builder
        .source(
            "in",
            Fakes.<String, Order>untyped(),
            WatermarkStrategy.<String, Order>monotonous().timestamps(amount))
        .sink("out", sink());

    assertThat(types("in")).isEqualTo("String, Order");
  }

  @Test
  void hintIsStrongerThanWhatALambdaReturns() {
    orders()
        .mapValues("any", order -> (Object) order.customer())
        .typed((Class<String>) String.class, Object.class)
        .sink("out", sink());
    orders2()
        .<List<String>>mapValues("list", order -> List.of())
        .typed(new TypeRef<String>() {}, new TypeRef<List<String>>() {})
        .sink("out2", sink());

    assertThat(types("list")).isEqualTo("String, List<String>");
    assertThat(types("any")).isEqualTo("String, Object");
  }

  private Stream<String, Order> orders2() {
    return builder.source("orders2", Fakes.source(String.class, Order.class));
  }

  @Test
  void consumerNamesTheTypeWhereTheProducerSaysTooLittle() {
    ValueMapper<Object, Object> opaque = value -> value;
    ValueMapper<Object, String> text = value -> value.toString();
    orders().<Object>mapValues("opaque", opaque).mapValues("text", text).sink("out", sink());

    assertThat(types("opaque")).isEqualTo("String, Object");
    assertThat(types("text")).isEqualTo("String, String");
  }

  @Test
  void typesFlowThroughBranchesInBothDirections() {
    Branches<String, String> branches =
        orders()
            .flatMapValues("parts", order -> List.of(order.customer()))
            .split("split")
            .branch("a", (key, part) -> part.isEmpty())
            .otherwise("b");
    branches.stream("a").sink("as", sink());
    branches.stream("b").sink("bs", sink());

    assertThat(types("parts")).isEqualTo("String, String");
    assertThat(types(new Port("split", "b"))).isEqualTo("String, String");
  }

  @Test
  void keySelectorNamesTheKey() {
    orders().groupBy("customer", (key, order) -> order.amount()).count("n").sink("out", sink());

    assertThat(types("customer")).isEqualTo("Long, Order");
    assertThat(types("n")).isEqualTo("Long, Long");
  }

  @Test
  void aggregatesNameTheirResults() {
    KeyedStream<String, Order> keyed = orders().groupByKey();
    keyed.max("max", order -> order.customer()).sink("s1", sink());
    keyed.average("mean", order -> order.amount()).sink("s2", sink());
    keyed.reduce("reduce", (left, right) -> left).sink("s3", sink());
    keyed
        .aggregate(
            "both",
            Aggregates.both(
                Aggregates.count(),
                Aggregates.<Order>sumDouble(order -> order.amount()),
                (count, sum) -> count + "/" + sum))
        .sink("s4", sink());
    keyed
        .aggregate("all", Aggregates.<Order>all(Map.of("n", Aggregates.count())))
        .sink("s5", sink());

    assertThat(types("max")).isEqualTo("String, String");
    assertThat(types("mean")).isEqualTo("String, Double");
    assertThat(types("reduce")).isEqualTo("String, Order");
    assertThat(types("both")).isEqualTo("String, String");
    assertThat(types("all")).isEqualTo("String, Map<String, Object>");
  }

  @Test
  void windowsWrapTheirResultsAndPassLateRecordsOn() {
    SideOutput<String, Order> late = SideOutput.of("late");
    timed()
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMinutes(1)))
        .lateTo(late)
        .reduce("reduce", (left, right) -> left)
        .sink("out", sink());

    assertThat(types("reduce")).isEqualTo("String, Windowed<Order>");
    assertThat(types(new Port("reduce", "late"))).isEqualTo("String, Order");
  }

  @Test
  void processorNamesItsTypes() {
    orders().groupByKey().process("p", Swap::new).sink("out", sink());

    assertThat(types("p")).isEqualTo("Long, String");
  }

  private static final class Swap implements Processor<String, Order, Long, String> {
    @Override
    public void process(String key, Order order, ProcessorContext<Long, String> context) {}
  }

  @Test
  void serdeHintReplacesTheInferredSerde() {
    Serde<String> strings = Serdes.string();
    orders().groupByKey("g").typed(strings, Serdes.of(Order.class)).count("n").sink("out", sink());

    Inferred form = builder.build().graph().keyForm(Port.main("n"));

    assertThat(form).isEqualTo(new Inferred.Found(strings));
  }

  @Test
  @SuppressWarnings("unchecked") // as a file or another language might connect them
  void mergeOfTwoTypesOfKeysHasNoSingleType() {
    Stream<Object, Order> strings = (Stream<Object, Order>) (Stream<?, ?>) orders();
    Stream<Object, Order> longs =
        (Stream<Object, Order>)
            (Stream<?, ?>) builder.source("longs", Fakes.source(Long.class, Order.class));
    strings.merge("all", longs).sink("out", sink());

    LogicalGraph graph = builder.build().graph();

    assertThat(graph.type(Port.main("all")).key()).isNull();
    assertThat(graph.keyForm(Port.main("all")))
        .isEqualTo(new Inferred.Missing("they are String here and Long there"));
  }
}
