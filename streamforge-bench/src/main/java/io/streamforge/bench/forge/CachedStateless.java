package io.streamforge.bench.forge;

import io.streamforge.Topology;
import io.streamforge.bench.workload.Mix;

/** The steps of W1 over 256 numbers that exist already. */
final class CachedStateless {
  private static final Long[] NUMBERS = new Long[256];

  static {
    for (int i = 0; i < NUMBERS.length; i++) {
      NUMBERS[i] = (long) i;
    }
  }

  private CachedStateless() {}

  private static Long cached(long number) {
    return NUMBERS[(int) number & 255];
  }

  static Topology topology(String name) {
    return Topology.builder(name)
        .source(
            "numbers",
            new IndexSource<>(Long.class, index -> cached(Mix.of(index)), index -> index))
        .mapValues("tripled", number -> cached(number * 3))
        .filter("half", (key, number) -> number < 128)
        .mapValues("folded", number -> cached(number ^ number >>> 3))
        .<Long>flatMapValuesTo(
            "doubled",
            (number, output) -> {
              output.emit(number);
              output.emit(cached(number + 1));
            })
        .sink("checksum", new ChecksumSink<Void, Long>((key, number) -> Mix.of(number)))
        .build();
  }
}
