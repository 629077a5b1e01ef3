package io.streamforge.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Judges results by what was set out to reach, at parallelism 2. */
final class Targets {
  static final int PARALLELISM = 2;
  private static final String SPEED = Row.RECORDS_PER_SECOND;

  private final Results results;
  private final List<Verdict> verdicts = new ArrayList<>();

  private Targets(Results results) {
    this.results = results;
  }

  /** On everything for which there are results. */
  static List<Verdict> judge(Results results) {
    Targets targets = new Targets(results);
    targets.speed("W1", 2.5, 0.75);
    targets.speed("W2", 10, 0.5);
    targets.speed("W3", 4, 0.65);
    targets.speed("W4", 4, 0.7);
    targets.speed("W5", 4, 0.5);
    targets.peerSpeed("W7", 10);
    targets.atLeast("W7", "speed : W2", targets.own("W7", SPEED), targets.own("W2", SPEED), 0.7);
    targets.peerSpeed("W7-rocksdb", 10);
    targets.peerSpeed("W7-rocksdb-10M", 3);
    for (String skewed : List.of("Z3", "Z3-hot")) {
      targets.peerSpeed(skewed, 4);
      targets.atLeast(
          skewed, "speed : W3", targets.own(skewed, SPEED), targets.own("W3", SPEED), 0.8);
    }
    targets.spread("W4, W4-1s", "speeds, largest : smallest", 1.3, targets.slides());
    targets.spread("chain-4 … 16", "speed × length, largest : smallest", 2, targets.chains());
    targets.atMost(
        "W1", "bytes allocated a record", targets.own("W1", "allocatedBytesPerRecord"), 0);
    for (String percentile : List.of("p99Millis", "p9999Millis")) {
      targets.ofBestPeer("L1", percentile, 0.5);
    }
    targets.ofBestPeer("M1-long", "bytesPerKey", 0.5);
    targets.ofBestPeer("M1-string", "bytesPerKey", 1);
    OptionalDouble share = targets.own("B1", "sinkRateShare");
    targets.atLeast("B1", "share of the sink's rate", share, OptionalDouble.of(1), 0.97);
    OptionalDouble allowed = targets.own("B1", "recordsInFlightAllowed");
    if (allowed.isPresent()) {
      OptionalDouble inFlight = targets.own("B1", "recordsInFlight");
      targets.atMost("B1", "records in flight", inFlight, allowed.getAsDouble());
    }
    targets.atLeast(
        "restore-100b",
        "MB of state read a second",
        targets.own("restore-100b", "megabytesPerSecond"),
        300);
    targets.state();
    return targets.verdicts;
  }

  /** Of state: what it takes, what checkpoints cost, and how soon it is back. */
  private void state() {
    atMostTimes(
        "M2",
        "heap a key, during checkpoints : without",
        own("M2", "bytesPerKeyDuringCheckpoints"),
        own("M2", "bytesPerKey"),
        1.3);
    peerSpeed("M2-zipf", 2);
    peerSpeed("M2-uniform", 1);
    atMost("R1", "s from SIGKILL, beyond the JVM's start", own("R1", "downSeconds"), 1);
    ofBestPeer("R1", "downSeconds", 0.1);
    atMost("stall-10M", "p99 ms a task is stopped", own("stall-10M", "stallP99Millis"), 10);
    for (String workload : List.of("incremental-10M", "incremental-10M-rocksdb")) {
      atMost(workload, "% of all written for changes", own(workload, "changesPercent"), 5);
    }
    atMost(
        "incremental-10M-rocksdb",
        "% of all written on average",
        own("incremental-10M-rocksdb", "meanPercent"),
        30);
  }

  /** The speed of the faster peer. */
  static OptionalDouble peers(Results results, String workload, int parallelism) {
    return peers(results, workload, parallelism, SPEED).max();
  }

  private static DoubleStream peers(
      Results results, String workload, int parallelism, String name) {
    Map<String, Row> engines = results.engines(workload, parallelism);
    return Stream.of("flink", "jet")
        .flatMap(peer -> Stream.ofNullable(engines.get(peer)))
        .flatMapToDouble(row -> row.measure(name).stream());
  }

  private OptionalDouble own(String workload, String name) {
    return measure(workload, "streamforge", name);
  }

  private OptionalDouble measure(String workload, String engine, String name) {
    return results
        .find(workload, engine, PARALLELISM)
        .map(row -> row.measure(name))
        .orElseGet(OptionalDouble::empty);
  }

  private void speed(String workload, double timesPeers, double timesHand) {
    peerSpeed(workload, timesPeers);
    OptionalDouble hand = measure(workload, "hand", SPEED);
    atLeast(workload, "speed : hand", own(workload, SPEED), hand, timesHand);
  }

  private void peerSpeed(String workload, double times) {
    OptionalDouble peers = peers(results, workload, PARALLELISM);
    atLeast(workload, "speed : better peer", own(workload, SPEED), peers, times);
  }

  private DoubleStream slides() {
    return Stream.of("W4", "W4-1s").flatMapToDouble(slide -> own(slide, SPEED).stream());
  }

  private DoubleStream chains() {
    return Stream.of(4, 8, 12, 16)
        .flatMapToDouble(
            length -> own("chain-" + length, SPEED).stream().map(speed -> speed * length));
  }

  private void atLeast(
      String workload, String what, OptionalDouble own, OptionalDouble other, double times) {
    if (own.isPresent() && other.isPresent()) {
      double ratio = own.getAsDouble() / other.getAsDouble();
      add(workload, what, "≥ " + times(times), times(ratio), ratio >= times);
    }
  }

  private void atLeast(String workload, String what, OptionalDouble own, double limit) {
    if (own.isPresent()) {
      double value = own.getAsDouble();
      add(workload, what, "≥ " + number(limit), number(value), value >= limit);
    }
  }

  private void atMost(String workload, String what, OptionalDouble own, double limit) {
    if (own.isPresent()) {
      double value = own.getAsDouble();
      // Counted while threads come and go, so what rounds to nothing is nothing.
      add(workload, what, "≤ " + number(limit), number(value), value <= limit + 0.005);
    }
  }

  /** Less is better, and the better peer is the one with less. */
  private void ofBestPeer(String workload, String name, double times) {
    OptionalDouble best = peers(results, workload, PARALLELISM, name).min();
    atMostTimes(workload, name + " : better peer", own(workload, name), best, times);
  }

  private void atMostTimes(
      String workload, String what, OptionalDouble own, OptionalDouble other, double times) {
    if (own.isPresent() && other.isPresent()) {
      double ratio = own.getAsDouble() / other.getAsDouble();
      add(workload, what, "≤ " + times(times), times(ratio), ratio <= times);
    }
  }

  private void spread(String workloads, String what, double times, DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    if (sorted.length > 1) {
      double ratio = sorted[sorted.length - 1] / sorted[0];
      add(workloads, what, "≤ " + times(times), times(ratio), ratio <= times);
    }
  }

  private void add(String workload, String what, String target, String reached, boolean met) {
    verdicts.add(new Verdict(workload, what, target, reached, met));
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 0.095 ? "%.3f ×" : "%.2f ×", ratio);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }
}
