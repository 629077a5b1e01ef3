package io.streamforge.runtime.channel;

import io.streamforge.record.Headers;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Holds records in memory and hands what exceeds the limit to a spill file. */
public final class MemoryOverflow implements Overflow {
  /** Makes the spill file when it is first needed, or explains why there can be none. */
  @FunctionalInterface
  public interface SpillFactory {
    /** An empty spill file. */
    SpillFile open();
  }

  private final int limit;
  private final SpillFactory spillFactory;
  private final ArrayDeque<Held> memory = new ArrayDeque<>();
  private @Nullable SpillFile spill;

  /**
   * Holds nothing yet.
   *
   * @param limit records in memory
   */
  public MemoryOverflow(int limit, SpillFactory spillFactory) {
    this.limit = limit;
    this.spillFactory = spillFactory;
  }

  @Override
  public void add(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers) {
    Held held = new Held(key, value, hash, timestampMillis, headers);
    SpillFile file = spill;
    if (file == null && memory.size() < limit) {
      memory.add(held);
      return;
    }
    if (file == null) {
      file = spillFactory.open();
      spill = file;
    }
    file.append(held);
  }

  @Override
  public boolean isEmpty() {
    return memory.isEmpty() && spill == null;
  }

  @Override
  public Held peek() {
    Held first = memory.peek();
    if (first == null && spill != null) {
      first = spill.next();
      memory.add(first);
      if (spill.isEmpty()) {
        spill.close();
        spill = null;
      }
    }
    if (first == null) {
      throw new IllegalStateException("nothing is held");
    }
    return first;
  }

  @Override
  public void remove() {
    memory.remove();
  }

  @Override
  public void close() {
    memory.clear();
    if (spill != null) {
      spill.close();
      spill = null;
    }
  }
}
