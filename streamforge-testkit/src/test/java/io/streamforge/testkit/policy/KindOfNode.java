package io.streamforge.testkit.policy;

import io.streamforge.Stream;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.KeyValue;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Every kind of node that can reject a record, as a node that is called {@code node} and rejects
 * {@code x} of {@code 1, 2, x, 4, 5}, all of the key {@code k} at the times 1 to 5; and what comes
 * out when it does.
 */
enum KindOfNode {
  MAP(
      (in, policy) -> in.map("node", (k, v) -> KeyValue.of(k, number(v))).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  MAP_TO_NULL(
      (in, policy) ->
          in.map("node", (k, v) -> v.equals("x") ? null : KeyValue.of(k, v)).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  MAP_VALUES(
      (in, policy) -> in.mapValues("node", v -> number(v)).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  MAP_VALUES_WITH_KEY(
      (in, policy) -> in.mapValuesWithKey("node", (k, v) -> number(v)).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  SELECT_KEY(
      (in, policy) -> in.selectKey("node", (k, v) -> number(v)).onError(policy),
      "1=1@1",
      "2=2@2",
      "4=4@4",
      "5=5@5"),
  FILTER(
      (in, policy) -> in.filter("node", (k, v) -> number(v) > 1).onError(policy),
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  FILTER_NOT(
      (in, policy) -> in.filterNot("node", (k, v) -> number(v) > 1).onError(policy), "k=1@1"),
  PEEK(
      (in, policy) -> in.peek("node", (k, v) -> number(v)).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  FLAT_MAP(
      (in, policy) ->
          in.flatMap("node", (k, v) -> List.of(KeyValue.of(k, number(v)), KeyValue.of(k, 0L)))
              .onError(policy),
      "k=1@1",
      "k=0@1",
      "k=2@2",
      "k=0@2",
      "k=4@4",
      "k=0@4",
      "k=5@5",
      "k=0@5"),
  FLAT_MAP_TO_NULL(
      (in, policy) ->
          in.flatMap("node", (k, v) -> Arrays.asList(v.equals("x") ? null : KeyValue.of(k, v)))
              .onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  FLAT_MAP_STREAM(
      (in, policy) ->
          in.flatMapStream("node", (k, v) -> java.util.stream.Stream.of(KeyValue.of(k, number(v))))
              .onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  /** What is emitted before the rejection stays. */
  FLAT_MAP_VALUES_HALF_WAY(
      (in, policy) -> in.flatMapValues("node", KindOfNode::lazily).onError(policy),
      "k=first 1@1",
      "k=second 1@1",
      "k=first 2@2",
      "k=second 2@2",
      "k=first x@3",
      "k=first 4@4",
      "k=second 4@4",
      "k=first 5@5",
      "k=second 5@5"),
  FLAT_MAP_VALUES_STREAM(
      (in, policy) ->
          in.flatMapValuesStream("node", v -> java.util.stream.Stream.of(v).map(s -> number(s)))
              .onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  /** What is emitted before the rejection stays. */
  FLAT_MAP_TO(
      (in, policy) ->
          in.<String, Long>flatMapTo(
                  "node",
                  (k, v, out) -> {
                    out.emit(k, 0L);
                    out.emit(k, number(v));
                  })
              .onError(policy),
      "k=0@1",
      "k=1@1",
      "k=0@2",
      "k=2@2",
      "k=0@3",
      "k=0@4",
      "k=4@4",
      "k=0@5",
      "k=5@5"),
  FLAT_MAP_VALUES_TO(
      (in, policy) ->
          in.<Long>flatMapValuesTo("node", (v, out) -> out.emit(number(v))).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  SPLIT(
      (in, policy) ->
          in.split("node").branch("numbers", (k, v) -> number(v) > 0).stream("numbers")
              .onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  GROUP_BY(
      (in, policy) ->
          in.groupBy("node", (k, v) -> number(v)).onError(policy).reduce("last", (a, b) -> b),
      "1=1@1",
      "2=2@2",
      "4=4@4",
      "5=5@5"),
  PROCESS(
      (in, policy) -> in.groupByKey().process("node", Numbers::new).onError(policy),
      "k=1@1",
      "k=2@2",
      "k=4@4",
      "k=5@5"),
  COLUMNS(
      (in, policy) -> in.groupByKey().sum("node", v -> number(v)).onError(policy),
      "k=1@1",
      "k=3@2",
      "k=7@4",
      "k=12@5"),
  REDUCE(
      (in, policy) ->
          in.groupByKey()
              .reduce("node", (a, b) -> String.valueOf(number(a) + number(b)))
              .onError(policy),
      "k=1@1",
      "k=3@2",
      "k=7@4",
      "k=12@5"),
  OBJECTS(
      (in, policy) -> in.groupByKey().aggregate("node", new Joined()).onError(policy),
      "k=1@1",
      "k=12@2",
      "k=124@4",
      "k=1245@5"),
  SLICES(
      (in, policy) ->
          in.groupByKey()
              .window(Windows.tumbling(Duration.ofMillis(4)))
              .sum("node", v -> number(v))
              .onError(policy)
              .mapValues("text", r -> r.value()),
      "k=3@3",
      "k=9@7"),
  SLIDING(
      (in, policy) ->
          in.groupByKey()
              .window(Windows.sliding(Duration.ofMillis(4), Duration.ofMillis(2)))
              .sum("node", v -> number(v))
              .onError(policy)
              .mapValues("text", r -> r.value()),
      "k=1@1",
      "k=3@3",
      "k=11@5",
      "k=9@7"),
  PER_WINDOW(
      (in, policy) ->
          in.groupByKey()
              .window(Windows.tumbling(Duration.ofMillis(4)))
              .trigger(Triggers.everyRecords(2))
              .sum("node", v -> number(v))
              .onError(policy)
              .mapValues("text", r -> r.value()),
      "k=3@3",
      "k=3@3",
      "k=9@7",
      "k=9@7"),
  SESSIONS(
      (in, policy) ->
          in.groupByKey()
              .window(Windows.session(Duration.ofMillis(2)))
              .sum("node", v -> number(v))
              .onError(policy)
              .mapValues("text", r -> r.value()),
      "k=3@3",
      "k=9@6");

  private final BiFunction<Stream<String, String>, ErrorPolicy, Stream<String, ?>> node;
  private final List<String> output;

  KindOfNode(
      BiFunction<Stream<String, String>, ErrorPolicy, ? extends Stream<?, ?>> node,
      String... output) {
    this.node = cast(node);
    this.output = List.of(output);
  }

  @SuppressWarnings("unchecked") // only the texts of keys are looked at
  private static BiFunction<Stream<String, String>, ErrorPolicy, Stream<String, ?>> cast(
      BiFunction<Stream<String, String>, ErrorPolicy, ? extends Stream<?, ?>> node) {
    return (BiFunction<Stream<String, String>, ErrorPolicy, Stream<String, ?>>) node;
  }

  Stream<?, ?> behind(Stream<String, String> in, ErrorPolicy policy) {
    return node.apply(in, policy);
  }

  List<String> output() {
    return output;
  }

  static long number(String text) {
    return Long.parseLong(text);
  }

  private static Iterable<String> lazily(String value) {
    Iterator<String> words = List.of("first ", "second ").iterator();
    return () ->
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return words.hasNext();
          }

          @Override
          public String next() {
            String word = words.next();
            return word + (word.equals("first ") ? value : number(value));
          }
        };
  }

  private static final class Numbers implements Processor<String, String, String, Long> {
    @Override
    public void process(String key, String value, ProcessorContext<String, Long> context) {
      context.emit(key, number(value));
    }
  }

  private static final class Joined implements Aggregator<String, String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String create() {
      return "";
    }

    @Override
    public String add(String accumulator, String value) {
      return accumulator + number(value);
    }

    @Override
    public String merge(String into, String from) {
      return into + from;
    }

    @Override
    public String result(String accumulator) {
      return accumulator;
    }
  }
}
