package io.streamforge.connector.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for line feeds, eight bytes at a time. */
final class LineFeeds {
  /*
   * Hot path. A byte is zero if subtracting 1 borrows and its top bit was not set before (Hacker's
   * Delight, 6-1); with the word exclusive-ored with line feeds, that finds the lowest line feed
   * exactly: false hits occur only above a true one.
   */
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;
  private static final long FEEDS = ONES * '\n';

  private LineFeeds() {}

  /** The index of the first line feed, or −1. */
  static int next(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long word = (long) LONG.get(bytes, at) ^ FEEDS;
      long hits = (word - ONES) & ~word & TOPS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  /** How many line feeds there are. */
  static int count(byte[] bytes, int from, int to) {
    int count = 0;
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        count++;
      }
    }
    return count;
  }
}
