package io.streamforge.runtime.channel;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A ring between one producer and one consumer. An element is published by a release store of its
 * slot and taken by an acquire load, after which the slot is null again; neither side reads the
 * other's index. The indices are kept apart by padding, since they are written by different
 * threads.
 *
 * @param <T> elements
 */
final class SpscRing<T> {
  private static final int PAD = 16;

  private final AtomicReferenceArray<@Nullable T> slots;
  private final int mask;

  /** Producer's index at [PAD], consumer's at [3 * PAD]. */
  private final int[] indices = new int[5 * PAD];

  /** A ring for at least {@code capacity} elements. */
  SpscRing(int capacity) {
    int size = Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
    slots = new AtomicReferenceArray<>(size);
    mask = size - 1;
  }

  /** Producer: appends, unless the ring is full. */
  boolean offer(T element) {
    int at = indices[PAD] & mask;
    if (slots.getAcquire(at) != null) {
      return false;
    }
    slots.setRelease(at, element);
    indices[PAD]++;
    return true;
  }

  /** Consumer: takes the oldest element; null when there is none. */
  @Nullable T poll() {
    int at = indices[3 * PAD] & mask;
    T element = slots.getAcquire(at);
    if (element != null) {
      slots.setRelease(at, null);
      indices[3 * PAD]++;
    }
    return element;
  }

  /** Consumer: whether there is nothing to take. */
  boolean isEmpty() {
    return slots.getAcquire(indices[3 * PAD] & mask) == null;
  }

  /** Consumer: the element so many behind the oldest, which stays; null when there is none. */
  @Nullable T peek(int behind) {
    return behind > mask ? null : slots.getAcquire((indices[3 * PAD] + behind) & mask);
  }

  /** Producer: whether all that was appended has been taken. */
  boolean allTaken() {
    return slots.getAcquire((indices[PAD] - 1) & mask) == null;
  }

  /** About how many elements there are; exact when neither side is at work. */
  int size() {
    int count = 0;
    for (int i = 0; i <= mask; i++) {
      if (slots.getAcquire(i) != null) {
        count++;
      }
    }
    return count;
  }
}
