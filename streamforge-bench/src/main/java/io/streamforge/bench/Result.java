package io.streamforge.bench;

/**
 * A row of the results.
 *
 * @param engine {@code streamforge} or {@code hand}
 * @param recordsPerSecond median of the runs
 * @param checksum of the outputs of the first million records, as hexadecimal digits
 * @param runs how many, each in a JVM of its own
 */
record Result(
    String workload,
    String engine,
    int parallelism,
    double recordsPerSecond,
    String checksum,
    int runs) {}
