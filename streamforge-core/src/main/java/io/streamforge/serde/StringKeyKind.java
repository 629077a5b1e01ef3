package io.streamforge.serde;

/** Strings as keys; see {@link KeyKinds} for the hash. */
final class StringKeyKind implements KeyKind<String> {
  /*
   * XXH64 (Yann Collet, https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md) over the characters,
   * each of which stands for two bytes of input, lower byte first. Nothing is copied or encoded. Hot
   * path: four characters make one lane of the algorithm.
   */
  private static final long P1 = 0x9E37_79B1_85EB_CA87L;
  private static final long P2 = 0xC2B2_AE3D_27D4_EB4FL;
  private static final long P3 = 0x1656_67B1_9E37_79F9L;
  private static final long P4 = 0x85EB_CA77_C2B2_AE63L;
  private static final long P5 = 0x27D4_EB2F_1656_67C5L;

  @Override
  public long hash(String key) {
    int length = key.length();
    int at = 0;
    long hash = P5;
    if (length >= 16) {
      hash = stripes(key);
      at = length & ~15;
    }
    hash += length * 2L;
    for (; at + 4 <= length; at += 4) {
      hash = Long.rotateLeft(hash ^ round(0, four(key, at)), 27) * P1 + P4;
    }
    if (at + 2 <= length) {
      long two = key.charAt(at) | (long) key.charAt(at + 1) << 16;
      hash = Long.rotateLeft(hash ^ two * P1, 23) * P2 + P3;
      at += 2;
    }
    if (at < length) {
      char last = key.charAt(at);
      hash = Long.rotateLeft(hash ^ (last & 0xFF) * P5, 11) * P1;
      hash = Long.rotateLeft(hash ^ (last >> 8) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 33) * P2;
    hash = (hash ^ hash >>> 29) * P3;
    return hash ^ hash >>> 32;
  }

  /** All whole stripes of sixteen characters. */
  private static long stripes(String key) {
    long v1 = 0x60EA_27EE_ADC0_B5D6L; // P1 + P2
    long v2 = P2;
    long v3 = 0;
    long v4 = -P1;
    for (int at = 0, end = key.length() & ~15; at < end; at += 16) {
      v1 = round(v1, four(key, at));
      v2 = round(v2, four(key, at + 4));
      v3 = round(v3, four(key, at + 8));
      v4 = round(v4, four(key, at + 12));
    }
    long hash =
        Long.rotateLeft(v1, 1)
            + Long.rotateLeft(v2, 7)
            + Long.rotateLeft(v3, 12)
            + Long.rotateLeft(v4, 18);
    hash = (hash ^ round(0, v1)) * P1 + P4;
    hash = (hash ^ round(0, v2)) * P1 + P4;
    hash = (hash ^ round(0, v3)) * P1 + P4;
    return (hash ^ round(0, v4)) * P1 + P4;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * P2, 31) * P1;
  }

  private static long four(String key, int at) {
    return key.charAt(at)
        | (long) key.charAt(at + 1) << 16
        | (long) key.charAt(at + 2) << 32
        | (long) key.charAt(at + 3) << 48;
  }

  @Override
  public boolean same(String left, String right) {
    return left.equals(right);
  }

  @Override
  public int compare(String left, String right) {
    return left.compareTo(right);
  }

  @Override
  public Serde<String> serde() {
    return Scalars.STRING;
  }
}
