package io.streamforge.runtime.channel;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a receiving task that belong to none of its channels: lent to those that need more
 * than their own, and parked here by those that need less. Made when first needed. Used by the
 * receiver's thread only.
 *
 * <p>Invariant: parked + lent = made, and made never exceeds {@link #most}.
 */
public final class BatchPool {
  /** Records of a task's floating batches together, as a multiple of a full-sized batch. */
  private static final int FULL_BATCHES = 16;

  private final int capacity;
  private final int most;
  private final Deque<Batch> parked = new ArrayDeque<>();
  private int made;

  /**
   * An empty pool.
   *
   * @param capacity records of a batch
   * @param most batches that it makes at most
   */
  public BatchPool(int capacity, int most) {
    this.capacity = capacity;
    this.most = most;
  }

  /**
   * The pool of a task: as many records for each task, however small its batches are.
   *
   * @param batchSize records of a batch where parallelism is low
   */
  public static BatchPool ofTask(int capacity, int batchSize) {
    return new BatchPool(capacity, floating(capacity, batchSize));
  }

  /** How many floating batches a receiving task has at most. */
  static int floating(int capacity, int batchSize) {
    return FULL_BATCHES * batchSize / capacity;
  }

  /** Lends a batch, the one that was parked last; null when all are lent. */
  @Nullable Batch take() {
    Batch batch = parked.pollLast();
    if (batch == null && made < most) {
      made++;
      batch = new Batch(capacity);
    }
    return batch;
  }

  /** Parks an empty batch. */
  void park(Batch batch) {
    parked.addLast(batch);
  }

  /** Whether all are lent. */
  boolean exhausted() {
    return parked.isEmpty() && made == most;
  }

  /** Batches that are here. */
  public int parked() {
    return parked.size();
  }

  /** Batches that have been made. */
  public int made() {
    return made;
  }

  /** Batches that it makes at most. */
  public int most() {
    return most;
  }
}
