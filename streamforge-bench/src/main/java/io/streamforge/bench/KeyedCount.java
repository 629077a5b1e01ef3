package io.streamforge.bench;

import io.streamforge.Topology;

/** W2: a running count of 100 k keys; an update for every record. */
record KeyedCount() implements Workload {
  private static final int KEYS = 100_000;

  @Override
  public String id() {
    return "W2";
  }

  @Override
  public String title() {
    return "running count, 100 k keys";
  }

  @Override
  public Topology topology(long records, Checksum checksum) {
    return Topology.builder("w2")
        .source(
            "clicks",
            new IndexSource<>(records, Click.class, index -> Click.of(index, KEYS), index -> index))
        .groupBy("by-user", (key, click) -> click.user())
        .count("count")
        .sink("checksum", checksum.<Long, Long>sink((user, count) -> Mix.of(user, count)))
        .build();
  }

  /** Each thread reads all of the input and keeps the users that are its own. */
  @Override
  public long byHand(long records, int threads) {
    return HandThreads.sum(
        threads,
        (thread, all) -> {
          OwnKeys own = new OwnKeys(KEYS, thread, all);
          long[] counts = new long[KEYS];
          long sum = 0;
          for (long from = 0, to; from < records; from = to) {
            to = OwnKeys.end(from, records);
            int found = own.find(from, to);
            for (int i = 0; i < found; i++) {
              int user = (int) Click.user(own.indexes[i], KEYS);
              sum += Mix.of(user, ++counts[user]);
            }
          }
          return sum;
        });
  }
}
