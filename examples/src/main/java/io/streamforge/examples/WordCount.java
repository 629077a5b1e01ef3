package io.streamforge.examples;

import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.file.MalformedPolicy;
import io.streamforge.sink.Sink;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the words of a text. A word is a maximal run of ASCII letters, in lower case.
 *
 * <p>Arguments: {@code INPUT [OUTPUT]}. With an output file it gets a line {@code word<TAB>count}
 * for each word, sorted by word; without, the ten most frequent words are shown.
 */
public final class WordCount {
  private static final int TOP = 10;

  private WordCount() {}

  /** For {@code streamforge run io.streamforge.examples.WordCount INPUT}: counts to stdout. */
  public static Topology topology(String[] args) {
    return topology(
        ExampleRun.onlyArgument("io.streamforge.examples.WordCount INPUT", args),
        Sinks.stdout(result -> result.key() + "\t" + result.value().value()));
  }

  // tag::topology[]
  static Topology topology(Path input, Sink<String, Windowed<Long>> output) {
    return Topology.builder("wordcount")
        .source("lines", FileSource.lines(input).malformed(MalformedPolicy.REPLACE))
        .flatMapValues("split", line -> words(line))
        .groupBy("word", (key, word) -> word)
        .window(Windows.global())
        .count("count")
        .sink("output", output)
        .build();
  }

  // end::topology[]

  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c >= 'a' && c <= 'z') {
        word.append(c);
      } else if (c >= 'A' && c <= 'Z') {
        word.append((char) (c - 'A' + 'a'));
      } else if (word.length() > 0) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    if (word.length() > 0) {
      words.add(word.toString());
    }
    return words;
  }

  /** Runs the example. */
  public static void main(String[] args) {
    ExampleRun.main(
        "wordcount INPUT [OUTPUT]",
        args,
        run -> {
          CollectingSink<String, Windowed<Long>> results = Sinks.collect();
          run.to("lines", topology(run.input(), results));
          Map<String, Long> counts = new TreeMap<>();
          results.records().forEach(r -> counts.put(r.key(), r.value().value()));
          if (run.output() == null) {
            showTop(counts);
          } else {
            List<String> lines = new ArrayList<>();
            counts.forEach((word, count) -> lines.add(word + "\t" + count));
            run.write(lines);
          }
        });
  }

  private static void showTop(Map<String, Long> counts) {
    List<Map.Entry<String, Long>> top =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(TOP)
            .toList();
    int width = top.stream().mapToInt(e -> e.getKey().length()).max().orElse(0);
    for (Map.Entry<String, Long> e : top) {
      System.out.printf("%-" + Math.max(1, width) + "s  %,9d%n", e.getKey(), e.getValue());
    }
    long words = counts.values().stream().mapToLong(Long::longValue).sum();
    System.out.printf("%,d words, %,d different%n", words, counts.size());
  }
}
