package io.streamforge.bench;

import io.streamforge.Topology;
import io.streamforge.function.Aggregates;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;

/**
 * W3: count and sum of 10 k keys in tumbling windows of a second, 100 k records a second of event
 * time, up to 500 ms out of order.
 */
record TumblingWindows() implements Workload {
  private static final int KEYS = 10_000;
  private static final long RECORDS_PER_MILLI = 100;
  private static final int OUT_OF_ORDER_MILLIS = 500;
  private static final int SIZE_MILLIS = 1_000;

  /** Result of a window. */
  record CountAndSum(long count, long sum) {}

  @Override
  public String id() {
    return "W3";
  }

  @Override
  public String title() {
    return "tumbling windows of 1 s, 10 k keys";
  }

  /** Never negative, and never more than 500 ms less than that of an earlier index. */
  private static long timestamp(long index) {
    return OUT_OF_ORDER_MILLIS
        + index / RECORDS_PER_MILLI
        - Mix.below(Mix.of(~index), OUT_OF_ORDER_MILLIS);
  }

  private static long hash(long user, long startMillis, long count, long sum) {
    return Mix.of(Mix.of(user, startMillis), Mix.of(count, sum));
  }

  @Override
  public Topology topology(long records, Checksum checksum) {
    return Topology.builder("w3")
        .source(
            "clicks",
            new IndexSource<>(
                records, Click.class, index -> Click.of(index, KEYS), TumblingWindows::timestamp),
            WatermarkStrategy.boundedOutOfOrderness(Duration.ofMillis(OUT_OF_ORDER_MILLIS)))
        .groupBy("by-user", (key, click) -> click.user())
        .window(Windows.tumbling(Duration.ofMillis(SIZE_MILLIS)))
        .aggregate(
            "count-and-sum",
            Aggregates.<Click, Long, Long, CountAndSum>both(
                Aggregates.count(), Aggregates.sum(Click::amount), CountAndSum::new))
        .sink("checksum", checksum.sink(TumblingWindows::hashOf))
        .build();
  }

  private static long hashOf(Long user, Windowed<CountAndSum> result) {
    CountAndSum value = result.value();
    if (value == null) {
      throw new IllegalStateException("a tumbling window was taken back");
    }
    return hash(user, result.startMillis(), value.count(), value.sum());
  }

  /** Each thread reads all of the input and keeps the users that are its own. */
  @Override
  public long byHand(long records, int threads) {
    return HandThreads.sum(threads, (thread, all) -> share(records, thread, all));
  }

  private static long share(long records, int thread, int all) {
    // Out of order by half a window, and looked at once a chunk, which is 10 ms: never more than
    // two
    // windows are open.
    OwnKeys own = new OwnKeys(KEYS, thread, all);
    long[][] counts = new long[2][KEYS];
    long[][] sums = new long[2][KEYS];
    long hash = 0;
    long closed = 0;
    long maxTimestamp = 0;
    for (long from = 0, to; from < records; from = to) {
      to = OwnKeys.end(from, records);
      int found = own.find(from, to);
      for (int i = 0; i < found; i++) {
        long index = own.indexes[i];
        long timestamp = timestamp(index);
        maxTimestamp = Math.max(maxTimestamp, timestamp);
        int user = (int) Click.user(index, KEYS);
        int window = (int) (timestamp / SIZE_MILLIS) & 1;
        counts[window][user]++;
        sums[window][user] += Click.amount(index);
      }
      if (maxTimestamp - OUT_OF_ORDER_MILLIS >= (closed + 1) * SIZE_MILLIS) {
        hash += close(counts, sums, closed);
        closed++;
      }
    }
    return hash + close(counts, sums, closed) + close(counts, sums, closed + 1);
  }

  private static long close(long[][] counts, long[][] sums, long number) {
    long[] count = counts[(int) number & 1];
    long[] sum = sums[(int) number & 1];
    long hash = 0;
    for (int user = 0; user < KEYS; user++) {
      if (count[user] > 0) {
        hash += hash(user, number * SIZE_MILLIS, count[user], sum[user]);
        count[user] = 0;
        sum[user] = 0;
      }
    }
    return hash;
  }
}
