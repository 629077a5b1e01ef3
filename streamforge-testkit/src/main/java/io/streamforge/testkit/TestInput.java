package io.streamforge.testkit;

import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import org.jspecify.annotations.Nullable;

/**
 * The way into a source, or into one partition of it. Everything that a call sets off has been done
 * when it returns.
 */
public final class TestInput<K, V> {
  private final TopologyTestDriver driver;
  private final TestSource.Partition partition;

  TestInput(TopologyTestDriver driver, TestSource.Partition partition) {
    this.driver = driver;
    this.partition = partition;
  }

  /** A record with a timestamp. */
  public TestInput<K, V> pipe(@Nullable K key, @Nullable V value, long timestampMillis) {
    return pipe(key, value, timestampMillis, null);
  }

  /** A record with a timestamp and headers. */
  public TestInput<K, V> pipe(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
    partition.pipe(key, value, timestampMillis, headers);
    driver.settle();
    return this;
  }

  /** A record with the clock's time. */
  public TestInput<K, V> pipe(@Nullable K key, @Nullable V value) {
    return pipe(key, value, driver.clock().wallMillis());
  }

  /** Records, in this order, without a pause between them. */
  public TestInput<K, V> pipeAll(Iterable<Record<K, V>> records) {
    for (Record<K, V> record : records) {
      partition.pipe(record.key(), record.value(), record.timestampMillis(), record.headers());
    }
    driver.settle();
    return this;
  }

  /**
   * The source promises that nothing below this time will come in this partition. Besides what the
   * topology's own watermark strategy makes of the records; it never goes back.
   */
  public TestInput<K, V> advanceWatermark(long watermarkMillis) {
    partition.watermark(watermarkMillis);
    driver.settle();
    return this;
  }

  /**
   * The source knows of this many records that it has not yet been able to read; as long as there
   * are any the partition is not idle.
   */
  public TestInput<K, V> backlog(long records) {
    partition.backlog(records);
    driver.settle();
    return this;
  }

  /** Nothing more will come in this partition. */
  public void end() {
    partition.end();
    driver.settle();
  }
}
