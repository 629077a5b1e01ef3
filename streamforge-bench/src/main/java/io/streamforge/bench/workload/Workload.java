package io.streamforge.bench.workload;

import java.util.List;
import java.util.stream.Stream;

/**
 * A computation on an input. Whatever runs it adds up the same hashes over its outputs, which come
 * in any order.
 *
 * @param id short name, such as {@code W1}; variants have a suffix, such as {@code W2-1M}
 * @param title what it computes, in a few words
 */
public record Workload(String id, String title, Measure measure, Shape shape, Input input) {
  private static final Times OUT_OF_ORDER = new Times(500);
  private static final Shape COUNT = new Shape.RunningCount();
  private static final Shape TUMBLING = new Shape.TimeWindows(1_000, 1_000);

  /** Those whose throughput is measured on every engine. */
  private static final List<Workload> THROUGHPUT =
      List.of(
          stateless("W1", "stateless chain", new Shape.Stateless()),
          counts("W2", "running count, 100 k keys", 100_000),
          counts("W2-1M", "running count, 1 M keys", 1_000_000),
          windows("W3", "tumbling windows of 1 s, 10 k keys", Users.uniform(10_000)));

  /** All of them. */
  public static final List<Workload> ALL = Stream.of(THROUGHPUT).flatMap(List::stream).toList();

  /**
   * The workload with this id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Workload of(String id) {
    return ALL.stream()
        .filter(workload -> workload.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no workload " + id));
  }

  /** How many records the checksum covers: fewer where a peer would take long. */
  public long checkedRecords() {
    return family().equals("W4") ? 200_000 : 1_000_000;
  }

  /** Whether it is also measured at parallelism 1. */
  public boolean alsoOnOneCore() {
    return id.equals("W1") || id.equals("W2") || id.equals("W3");
  }

  /** Whether Flink and Jet run it too. */
  public boolean onPeers() {
    return !(shape instanceof Shape.Chain);
  }

  /** The name without the suffix of a variant. */
  public String family() {
    return id.split("-", 2)[0];
  }

  private static Workload stateless(String id, String title, Shape shape) {
    return new Workload(id, title, Measure.THROUGHPUT, shape, Input.of(Users.uniform(1), 1));
  }

  private static Workload counts(String id, String title, int keys) {
    return new Workload(id, title, Measure.THROUGHPUT, COUNT, Input.of(Users.uniform(keys), keys));
  }

  private static Workload windows(String id, String title, Users users) {
    return new Workload(
        id, title, Measure.THROUGHPUT, TUMBLING, new Input(users, 10_000, OUT_OF_ORDER));
  }
}
