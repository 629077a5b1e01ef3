package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.specialise.Specialised;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Pulls the records that a function makes of one, as long as there is room. What is left is pulled
 * by {@link #resume} before the next record comes.
 */
@Specialised
public final class FlatMapOperator implements Operator {
  /** Pulled in one step before other tasks have their turn. */
  private static final int STEP = 1024;

  /** Opens the results of a record. */
  @FunctionalInterface
  public interface Opener {
    /** The results, of type {@link KeyValue} unless the key is kept, and how to release them. */
    Results open(@Nullable Object key, @Nullable Object value) throws Exception;
  }

  /**
   * Results of one record.
   *
   * @param iterator pulls them
   * @param release to be called when no more are pulled
   */
  public record Results(Iterator<?> iterator, Runnable release) {
    private static final Runnable NOTHING = () -> {};

    /** Of an iterable, which needs no release; null counts as empty. */
    public static Results of(@Nullable Iterable<?> iterable) {
      return new Results(
          iterable == null ? java.util.Collections.emptyIterator() : iterable.iterator(), NOTHING);
    }

    /** Of a stream, which is closed; null counts as empty. */
    public static Results of(java.util.stream.@Nullable Stream<?> stream) {
      return stream == null
          ? new Results(java.util.Collections.emptyIterator(), NOTHING)
          : new Results(stream.iterator(), stream::close);
    }
  }

  private final Opener opener;
  private final boolean keepsKey;
  private final Output output;
  private final NodeCounters counters;
  private final OperatorContext context;

  private @Nullable Results inHand;
  private @Nullable Object key;
  private long hash;
  private long timestampMillis;
  private @Nullable Headers headers;

  /** Works for one task. */
  public FlatMapOperator(Opener opener, boolean keepsKey, OperatorContext context) {
    this.opener = opener;
    this.keepsKey = keepsKey;
    this.output = context.output();
    this.counters = context.counters();
    this.context = context;
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Results results = opener.open(key, value);
    if (pull(results, key, timestampMillis, headers, STEP)) {
      return;
    }
    inHand = results;
    this.key = key;
    this.hash = context.keyContext().hash;
    this.timestampMillis = timestampMillis;
    this.headers = headers;
    context.suspend();
  }

  /** Whether nothing is left. */
  private boolean pull(
      Results results,
      @Nullable Object key,
      long timestampMillis,
      @Nullable Headers headers,
      int budget)
      throws Exception {
    Iterator<?> iterator = results.iterator();
    for (int i = 0; i < budget && !context.full(); i++) {
      if (!iterator.hasNext()) {
        results.release().run();
        counters.processed++;
        return true;
      }
      Object next = iterator.next();
      if (keepsKey) {
        output.process(key, next, timestampMillis, headers);
      } else if (next instanceof KeyValue<?, ?> pair) {
        output.process(pair.key(), pair.value(), timestampMillis, headers);
      } else {
        throw new NullPointerException("the mapper returned null instead of a KeyValue");
      }
    }
    return false;
  }

  @Override
  public boolean pending() {
    return inHand != null;
  }

  @Override
  public void resume(int budget) throws Exception {
    Results results = inHand;
    if (results == null) {
      return;
    }
    context.keyContext().hash = hash;
    boolean over = true;
    try {
      over = pull(results, key, timestampMillis, headers, Math.min(budget, STEP));
    } finally {
      // Also when what is left is rejected; should it fail the job, it has been released all the
      // same.
      if (over) {
        forget();
      }
    }
  }

  private void forget() {
    inHand = null;
    key = null;
    headers = null;
  }

  @Override
  public void close() {
    Results results = inHand;
    if (results != null) {
      inHand = null;
      results.release().run();
    }
  }
}
