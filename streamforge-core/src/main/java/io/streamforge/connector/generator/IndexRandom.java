package io.streamforge.connector.generator;

import java.util.random.RandomGenerator;

/** A random sequence that can be set to that of an index, without allocating. */
final class IndexRandom implements RandomGenerator {
  /*
   * SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). The
   * sequence of an index begins at a state that is itself mixed from seed and index, so that
   * sequences of neighbouring indexes are unrelated.
   */
  private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

  private final long seed;
  private long state;

  IndexRandom(long seed) {
    this.seed = mix(seed + GOLDEN_GAMMA);
  }

  void seek(long index) {
    state = mix(seed ^ mix(index * GOLDEN_GAMMA + 1));
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  @Override
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }
}
