package io.streamforge.storage.s3;

import java.time.Duration;

/**
 * Bounds of what is held in memory, of waiting and of trying again.
 *
 * @param partBytes an object that is larger is written in parts of this size, each held in memory
 *     until it is written
 * @param connectTimeout for a connection
 * @param attemptTimeout for one try of a request, with its reply
 * @param callTimeout for all tries of a request together
 * @param attempts tries of a request, the first included
 * @param firstDelay before the second try; it doubles from try to try, drawn from 0 to that
 * @param throttledDelay the same after the server has said that it is asked too much
 * @param maxDelay before a try
 */
record S3Limits(
    int partBytes,
    Duration connectTimeout,
    Duration attemptTimeout,
    Duration callTimeout,
    int attempts,
    Duration firstDelay,
    Duration throttledDelay,
    Duration maxDelay) {
  /** What S3 allows at least for all parts but the last. */
  private static final int MIB = 1 << 20;

  /** A part in one attempt needs 2.2 Mbit/s. */
  static final S3Limits DEFAULT =
      new S3Limits(
          8 * MIB,
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          6,
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(20));
}
