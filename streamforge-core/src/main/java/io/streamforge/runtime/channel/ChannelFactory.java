package io.streamforge.runtime.channel;

import io.streamforge.config.EngineConfig;
import io.streamforge.time.Clock;

/**
 * Makes the channels that end at the tasks of a stage, and states what they cost.
 *
 * <p>An exchange has parallelism² channels. Batches shrink with parallelism, so the records of the
 * channels of a task stay about the same in number: {@link #mostRecords} grows with parallelism,
 * not with its square.
 */
public final class ChannelFactory {
  /** Records of a task's channels before batches are as small as is sensible. */
  private static final int RECORDS_PER_TASK = 4_096;

  private static final int LEAST_CAPACITY = 32;

  private final EngineConfig config;
  private final int senders;
  private final Clock clock;

  /**
   * For one stage.
   *
   * @param senders how many tasks send to each of its tasks
   */
  public ChannelFactory(EngineConfig config, int senders, Clock clock) {
    this.config = config;
    this.senders = senders;
    this.clock = clock;
  }

  /** Records of a batch. */
  public int capacity() {
    return Math.min(config.batchSize(), Math.max(LEAST_CAPACITY, RECORDS_PER_TASK / senders));
  }

  /** The floating batches of one task. */
  public BatchPool pool() {
    return BatchPool.ofTask(capacity(), config.batchSize());
  }

  /** A channel to a task. */
  public AdaptiveChannel channel(BatchPool poolOfTask) {
    return new AdaptiveChannel(
        config.creditsPerChannel(), capacity(), poolOfTask, config.targetDelay().toNanos(), clock);
  }

  /** Records that the channels of one exchange between stages of this parallelism can hold. */
  long mostRecords() {
    long own = (long) senders * senders * Math.min(AdaptiveChannel.OWN, config.creditsPerChannel());
    long lendable =
        (long) senders
            * Math.min(
                BatchPool.floating(capacity(), config.batchSize()),
                (long) senders * Math.max(0, config.creditsPerChannel() - AdaptiveChannel.OWN));
    return (own + lendable) * capacity();
  }
}
