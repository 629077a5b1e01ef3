package io.streamforge.bench;

import io.streamforge.Topology;

/** W1: map, a filter that half of the records pass, map, a flatMap that doubles them, sink. */
record Stateless() implements Workload {
  @Override
  public String id() {
    return "W1";
  }

  @Override
  public String title() {
    return "stateless chain";
  }

  @Override
  public Topology topology(long records, Checksum checksum) {
    return Topology.builder("w1")
        .source("numbers", new IndexSource<>(records, Long.class, Mix::of, index -> index))
        .mapValues("tripled", number -> number * 3)
        .filter("positive", (key, number) -> number >= 0)
        .mapValues("folded", number -> number ^ number >>> 17)
        .<Long>flatMapValuesTo(
            "doubled",
            (number, output) -> {
              output.emit(number);
              output.emit(number + 1);
            })
        .sink("checksum", checksum.<Void, Long>sink((key, number) -> Mix.of(number)))
        .build();
  }

  @Override
  public long byHand(long records, int threads) {
    return HandThreads.sum(
        threads,
        (thread, stride) -> {
          long sum = 0;
          for (long index = thread; index < records; index += stride) {
            long number = Mix.of(index) * 3;
            if (number >= 0) {
              number ^= number >>> 17;
              sum += Mix.of(number);
              sum += Mix.of(number + 1);
            }
          }
          return sum;
        });
  }
}
