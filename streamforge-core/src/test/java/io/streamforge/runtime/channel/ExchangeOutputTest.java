package io.streamforge.runtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.config.EngineConfig;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent when, above all while there is no credit. */
class ExchangeOutputTest {
  private static final EngineConfig CONFIG =
      EngineConfig.builder().batchSize(4).creditsPerChannel(2).build();

  /** The exchanges that a plan has; a blocking sink's is a forward one. */
  private enum Kind {
    HASH(3) {
      @Override
      ExchangeOutput.Router router() {
        return hash -> (int) hash;
      }
    },
    REBALANCE(3) {
      @Override
      ExchangeOutput.Router router() {
        int[] turn = {0};
        return hash -> turn[0] = (turn[0] + 1) % 3;
      }
    },
    FORWARD(1) {
      @Override
      ExchangeOutput.Router router() {
        return hash -> 0;
      }
    };

    private final int count;

    Kind(int count) {
      this.count = count;
    }

    abstract ExchangeOutput.Router router();
  }

  private final KeyContext keyContext = new KeyContext();
  private final Gate gate = new Gate();
  private List<Channel<Batch>> channels = List.of();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private ExchangeOutput output(Kind kind) {
    ChannelFactory factory = new ChannelFactory(CONFIG, 1, new ManualClock());
    Channel<Batch>[] made = new Channel[kind.count];
    for (int i = 0; i < made.length; i++) {
      made[i] = factory.channel(factory.pool());
    }
    channels = List.of(made);
    Overflow overflow =
        new MemoryOverflow(
            10,
            () -> {
              throw new IllegalStateException("nothing is to be spilled");
            });
    return new ExchangeOutput(made, kind.router(), keyContext, new NodeCounters(), gate, overflow);
  }

  private void emit(ExchangeOutput output, int channel, long timestampMillis) {
    keyContext.hash = channel;
    output.process("k", timestampMillis, timestampMillis, null);
  }

  /** Fills two batches of four in each channel. */
  private void useUpAllCredits(ExchangeOutput output) {
    for (int i = 0; i < 8; i++) {
      for (int channel = 0; channel < channels.size(); channel++) {
        emit(output, channel, i);
      }
    }
    assertThat(output.creditsAtHand()).isZero();
    assertThat(output.unsent()).isFalse();
  }

  private static Batch take(Channel<Batch> channel) {
    Batch batch = channel.poll();
    assertThat(batch).isNotNull();
    return batch;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void watermarkPassesWithoutCreditBehindTheRecords(Kind kind) {
    ExchangeOutput output = output(kind);
    useUpAllCredits(output);

    output.eventTime(100, false);

    assertThat(output.flush()).isTrue();
    for (Channel<Batch> channel : channels) {
      assertThat(take(channel).size).isEqualTo(4);
      assertThat(take(channel).size).isEqualTo(4);
      Batch carrier = take(channel);
      assertThat(carrier.control).isTrue();
      assertThat(carrier.watermark).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void endAndIdlenessPassWithoutCredit(Kind kind) {
    ExchangeOutput output = output(kind);
    useUpAllCredits(output);

    output.eventTime(100, true);
    assertThat(output.flush()).isTrue();
    output.end();
    assertThat(output.flush()).isTrue();

    for (Channel<Batch> channel : channels) {
      take(channel);
      take(channel);
      assertThat(take(channel).idle).isTrue();
      assertThat(take(channel).end).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void watermarksCoalesceWhileAllCarriersAreUnderWay(Kind kind) {
    ExchangeOutput output = output(kind);
    useUpAllCredits(output);
    for (int watermark = 1; watermark <= Channel.CONTROL_SLOTS; watermark++) {
      output.eventTime(watermark, false);
      assertThat(output.flush()).isTrue();
    }
    for (int watermark = 11; watermark <= 20; watermark++) {
      output.eventTime(watermark, false);
      assertThat(output.flush()).isFalse();
      assertThat(output.unsent()).isTrue();
    }

    for (Channel<Batch> channel : channels) {
      take(channel);
      take(channel);
      Batch carrier = take(channel);
      assertThat(carrier.watermark).isEqualTo(1);
      carrier.clear();
      channel.giveBackCarrier(carrier);
    }
    assertThat(output.flush()).isTrue();

    for (Channel<Batch> channel : channels) {
      List<Long> watermarks = new ArrayList<>();
      for (@Nullable Batch carrier; (carrier = channel.poll()) != null; ) {
        watermarks.add(carrier.watermark);
      }
      assertThat(watermarks).containsExactly(2L, 3L, 4L, 20L);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void barrierPassesWithoutCreditBehindTheRecordsAndTheWatermark(Kind kind) {
    ExchangeOutput output = output(kind);
    useUpAllCredits(output);
    output.eventTime(100, false);

    output.barrier(7);

    assertThat(gate.closed).isFalse();
    for (Channel<Batch> channel : channels) {
      assertThat(take(channel).barrier).isZero();
      assertThat(take(channel).barrier).isZero();
      Batch carrier = take(channel);
      assertThat(carrier.barrier).isEqualTo(7);
      assertThat(carrier.watermark).isEqualTo(100);
      assertThat(channel.poll()).isNull();
    }
  }

  @Test
  void batchInHandGoesWithTheBarrierAndTheNextOneHasNone() {
    ExchangeOutput output = output(Kind.FORWARD);
    emit(output, 0, 5);
    output.barrier(7);
    for (int i = 0; i < 4; i++) {
      emit(output, 0, 6);
    }

    Batch first = take(channels.get(0));
    assertThat(first.size).isEqualTo(1);
    assertThat(first.barrier).isEqualTo(7);
    Batch second = take(channels.get(0));
    assertThat(second.size).isEqualTo(4);
    assertThat(second.barrier).isZero();
  }

  @Test
  void whatIsEmittedWhileABarrierHasNoRoomComesBehindIt() {
    ExchangeOutput output = output(Kind.FORWARD);
    Channel<Batch> channel = channels.get(0);
    useUpAllCredits(output);
    for (int watermark = 1; watermark <= Channel.CONTROL_SLOTS; watermark++) {
      output.eventTime(watermark, false);
      output.flush();
    }

    output.barrier(7);
    assertThat(gate.full()).isTrue();
    emit(output, 0, 20);
    assertThat(output.drainHeld()).isFalse();

    giveBack(channel, take(channel));
    assertThat(output.drainHeld()).as("the barrier has taken the only credit").isFalse();
    giveBack(channel, take(channel));
    assertThat(output.drainHeld()).isTrue();
    assertThat(gate.closed).isFalse();
    output.flush();

    for (int i = 0; i < Channel.CONTROL_SLOTS; i++) {
      assertThat(take(channel).barrier).isZero();
    }
    Batch barrier = take(channel);
    assertThat(barrier.barrier).isEqualTo(7);
    assertThat(barrier.size).isZero();
    Batch behind = take(channel);
    assertThat(behind.barrier).isZero();
    assertThat(behind.timestamps[0]).isEqualTo(20);
  }

  private static void giveBack(Channel<Batch> channel, Batch batch) {
    batch.clear();
    channel.giveBack(batch);
  }

  @Test
  void batchInHandGoesWithTheWatermarkThatIsBehindItsRecords() {
    ExchangeOutput output = output(Kind.FORWARD);
    emit(output, 0, 5);
    output.eventTime(6, false);
    assertThat(output.flush()).isTrue();

    Channel<Batch> channel = channels.get(0);
    Batch batch = take(channel);
    assertThat(batch.size).isEqualTo(1);
    assertThat(batch.watermark).isEqualTo(6);
    assertThat(channel.poll()).isNull();
    // Nothing is left to say.
    assertThat(output.flush()).isTrue();
    assertThat(channel.poll()).isNull();
  }

  @Test
  void fullBatchIsSentAtOnceAndBringsEventTimeAlong() {
    ExchangeOutput output = output(Kind.FORWARD);
    for (int i = 0; i < 3; i++) {
      emit(output, 0, i);
    }
    output.eventTime(2, false);
    assertThat(channels.get(0).isEmpty()).isTrue();

    emit(output, 0, 3);

    assertThat(take(channels.get(0)).watermark).isEqualTo(2);
  }

  @Test
  void batchIsSentAtTheLimitOfItsCredit() {
    ExchangeOutput output = output(Kind.FORWARD);
    Channel<Batch> channel = channels.get(0);
    useUpAllCredits(output);
    Batch first = take(channel);
    Batch second = take(channel);
    first.clear();
    channel.giveBack(first);
    first.limit = 2;

    emit(output, 0, 1);
    assertThat(channel.isEmpty()).isTrue();
    emit(output, 0, 2);

    assertThat(take(channel)).isSameAs(first);
    assertThat(first.size).isEqualTo(2);
    assertThat(second.size).isEqualTo(4);
  }

  @Test
  void lastCreditIsFilledWhileTheReceiverHasNotTakenWhatIsBeforeIt() {
    ExchangeOutput output = output(Kind.FORWARD);
    Channel<Batch> channel = channels.get(0);
    for (int i = 0; i < 5; i++) {
      emit(output, 0, i);
    }
    output.eventTime(3, false);
    output.flushUseful();
    assertThat(output.unsent()).isTrue();
    emit(output, 0, 5);

    Batch first = take(channel);
    assertThat(channel.poll()).isNull();
    output.flushUseful();

    assertThat(output.unsent()).isFalse();
    assertThat(first.timestamps).containsExactly(0, 1, 2, 3);
    Batch second = take(channel);
    assertThat(second.size).isEqualTo(2);
    assertThat(second.watermark).isEqualTo(3);
  }

  @Test
  void batchInHandIsNotKeptWhileThereAreCredits() {
    ExchangeOutput output = output(Kind.FORWARD);
    emit(output, 0, 1);
    output.flushUseful();

    assertThat(take(channels.get(0)).size).isEqualTo(1);
  }

  @Test
  void recordWithoutCreditIsHeldAndClosesTheGateUntilABatchComesBack() {
    ExchangeOutput output = output(Kind.FORWARD);
    Channel<Batch> channel = channels.get(0);
    useUpAllCredits(output);
    emit(output, 0, 8);
    assertThat(gate.full()).isTrue();
    assertThat(output.drainHeld()).isFalse();

    Batch batch = take(channel);
    batch.clear();
    channel.giveBack(batch);

    assertThat(output.drainHeld()).isTrue();
    assertThat(gate.closed()).isFalse();
    output.flush();
    take(channel);
    assertThat(take(channel).timestamps[0]).isEqualTo(8);
  }
}
