package io.streamforge.runtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.config.EngineConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the channels of an exchange cost, as the docs state it. */
class ChannelMemoryTest {
  /** Key and value as references of 4 bytes, hash and timestamp. */
  private static final int BYTES_PER_RECORD = 4 + 4 + 8 + 8;

  private static final EngineConfig CONFIG = EngineConfig.defaults();

  /**
   * Every channel has as many batches as it can get, each with its arrays; the bytes are those of
   * the arrays.
   */
  @ParameterizedTest
  @CsvSource({"2, 512, 40, 491520", "16, 256, 1024, 6291456", "128, 32, 65536, 50331648"})
  void exchangeWithAllChannelsInUseHasTheStatedBytes(
      int parallelism, int capacity, int batches, long bytes) {
    ChannelFactory factory = new ChannelFactory(CONFIG, parallelism, new ManualClock());
    assertThat(factory.capacity()).isEqualTo(capacity);
    assertThat(factory.mostRecords() * BYTES_PER_RECORD).isEqualTo(bytes);

    long found = 0;
    long allocated = 0;
    for (int task = 0; task < parallelism; task++) {
      BatchPool pool = factory.pool();
      for (int sender = 0; sender < parallelism; sender++) {
        AdaptiveChannel channel = factory.channel(pool);
        useAll(channel);
        for (Batch batch; (batch = channel.poll()) != null; ) {
          found++;
          allocated +=
              4L * (batch.keys.length + batch.values.length)
                  + 8L * (batch.hashes.length + batch.timestamps.length);
        }
      }
    }

    assertThat(found).isEqualTo(batches);
    assertThat(allocated).isEqualTo(bytes);
  }

  /** A receiver that is infinitely fast before a sender that always has something. */
  private static void useAll(AdaptiveChannel channel) {
    for (int i = 0; i < 1_000; i++) {
      fillAll(channel);
      Batch batch = channel.poll();
      assertThat(batch).isNotNull();
      batch.clear();
      channel.giveBack(batch);
    }
    fillAll(channel);
  }

  private static void fillAll(AdaptiveChannel channel) {
    for (Batch batch; (batch = channel.takeCredit()) != null; ) {
      while (batch.size < batch.limit) {
        batch.add("k", "v", 0, 0, null);
      }
      channel.send(batch);
    }
  }

  @Test
  void channelThatIsNeverUsedHasNoArrays() {
    ChannelFactory factory = new ChannelFactory(CONFIG, 128, new ManualClock());
    AdaptiveChannel channel = factory.channel(factory.pool());
    Batch batch = channel.takeCredit();

    assertThat(batch).isNotNull();
    assertThat(batch.keys).isEmpty();
    assertThat(batch.hashes).isEmpty();
  }
}
