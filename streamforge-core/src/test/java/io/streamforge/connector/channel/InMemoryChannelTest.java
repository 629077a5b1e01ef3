package io.streamforge.connector.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.streamforge.connector.SourceHarness;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryChannelTest {
  private static final List<Split> SPLIT = List.of(new Split("channel", 0));

  private final InMemoryChannel<String, Integer> channel = InMemoryChannel.of(4);
  private final SourceHarness<String, Integer> job = new SourceHarness<>(channel);

  @Test
  void whatIsSentIsReadInOrderUntilTheChannelIsClosed() throws Exception {
    channel.send("a", 1);
    assertThat(channel.offer("b", 2)).isTrue();
    channel.send(null, 3);
    channel.close();

    job.readAll(SPLIT);

    assertThat(job.values()).containsExactly(1, 2, 3);
    assertThat(job.emitted().get(0).key()).isEqualTo("a");
    assertThat(job.emitted().get(0).timestampMillis()).isEqualTo(RecordOutput.NO_TIMESTAMP);
    assertThat(job.emitted().get(2).nextPosition()).isEqualTo(3);
  }

  @Test
  void timestampedChannelKeepsTimestamps() throws Exception {
    InMemoryChannel<String, Integer> timed = InMemoryChannel.timestamped(4);
    timed.send(Record.of("a", 1, 42));
    timed.close();

    SourceHarness<String, Integer> read = new SourceHarness<>(timed).readAll(SPLIT);

    assertThat(read.emitted().get(0).timestampMillis()).isEqualTo(42);
    assertThat(timed.hasTimestamps()).isTrue();
    assertThatThrownBy(() -> InMemoryChannel.timestamped(1).offer("a", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("have timestamps");
  }

  @Test
  void aFullChannelRefusesAnOfferUntilThereIsRoom() throws Exception {
    SourceReader<String, Integer> reader = job.room(1).open(SPLIT);
    for (int i = 0; i < 4; i++) {
      assertThat(channel.offer("k", i)).isTrue();
    }
    assertThat(channel.offer("k", 4)).isFalse();

    assertThat(job.read(reader)).isEqualTo(ReadStatus.MORE);

    assertThat(channel.offer("k", 4)).isTrue();
    assertThat(channel.offer("k", 5)).isFalse();
    job.drain(reader);
    assertThat(job.values()).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void aSenderWakesTheReaderOnlyWhenItWaits() throws Exception {
    SourceReader<String, Integer> reader = job.open(SPLIT);
    channel.send("k", 1);
    assertThat(job.wakeUps()).isZero();

    assertThat(job.drain(reader)).isEqualTo(ReadStatus.WAITING);
    channel.send("k", 2);
    channel.send("k", 3);

    assertThat(job.wakeUps()).isEqualTo(1);
  }

  @Test
  void closingWakesAReaderThatWaits() throws Exception {
    SourceReader<String, Integer> reader = job.open(SPLIT);
    assertThat(job.drain(reader)).isEqualTo(ReadStatus.WAITING);

    channel.close();
    channel.close();

    assertThat(job.wakeUps()).isEqualTo(1);
    assertThat(job.drain(reader)).isEqualTo(ReadStatus.ENDED);
  }

  @Test
  void sendingAfterClosingFails() throws Exception {
    channel.close();

    assertThatThrownBy(() -> channel.send("k", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("nothing can be sent: this channel has been closed");
    assertThatThrownBy(() -> channel.offer("k", 1)).isInstanceOf(IllegalStateException.class);

    job.readAll(SPLIT);
    assertThatThrownBy(() -> channel.offer("k", 1))
        .hasMessage("nothing can be sent: this channel has been closed");
  }

  @Test
  void senderThatWaitsForRoomFailsWhenTheJobEnds() throws Exception {
    SourceReader<String, Integer> reader = job.open(SPLIT);
    CompletableFuture<Void> sender = sendUntilBlocked();

    reader.close();

    assertThatThrownBy(() -> sender.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .asInstanceOf(type(StreamForgeException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_STOPPED));
    assertThatThrownBy(() -> channel.offer("k", 1)).hasMessageContaining("has ended");
  }

  @Test
  void senderThatWaitsForRoomFailsWhenTheJobEndsBeforeReading() throws Exception {
    SplitEnumerator enumerator = channel.enumerator(job.context(0));
    CompletableFuture<Void> sender = sendUntilBlocked();

    enumerator.close();

    assertThatThrownBy(() -> sender.get(30, TimeUnit.SECONDS)).hasMessageContaining("has ended");
  }

  @Test
  void senderThatWaitsForRoomFailsWhenTheChannelIsClosed() throws Exception {
    CompletableFuture<Void> sender = sendUntilBlocked();

    channel.close();

    assertThatThrownBy(() -> sender.get(30, TimeUnit.SECONDS)).hasMessageContaining("closed");
    job.readAll(SPLIT);
    assertThat(job.values()).containsExactly(0, 1, 2, 3);
  }

  /** Fills the channel; the fifth record has to wait. */
  private CompletableFuture<Void> sendUntilBlocked() {
    for (int i = 0; i < 4; i++) {
      assertThat(channel.offer("k", i)).isTrue();
    }
    return CompletableFuture.runAsync(
        () -> {
          try {
            channel.send("k", 4);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aSecondUseIsRefused() throws Exception {
    channel.enumerator(job.context(0));

    assertThatThrownBy(() -> channel.enumerator(job.context(0)))
        .asInstanceOf(type(StreamForgeException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_REUSED))
        .satisfies(e -> assertThat(e.context().node()).isEqualTo("in"));
  }

  @Test
  void recordsOfSeveralThreadsAllArriveEachThreadsInOrder() throws Exception {
    int perThread = 2000;
    List<CompletableFuture<Void>> senders =
        IntStream.range(0, 3)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () -> {
                          try {
                            for (int i = 0; i < perThread; i++) {
                              channel.send("t" + thread, i);
                            }
                          } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                          }
                        }))
            .toList();
    CompletableFuture<Void> all =
        CompletableFuture.allOf(senders.toArray(CompletableFuture[]::new)).thenRun(channel::close);

    try (SourceReader<String, Integer> reader = job.open(SPLIT)) {
      while (job.drain(reader) != ReadStatus.ENDED) {
        Thread.onSpinWait();
      }
    }

    all.get(30, TimeUnit.SECONDS);
    for (int thread = 0; thread < 3; thread++) {
      String key = "t" + thread;
      assertThat(job.emitted().stream().filter(each -> each.key().equals(key)))
          .extracting(SourceHarness.Emitted::value)
          .isEqualTo(IntStream.range(0, perThread).boxed().toList());
    }
  }
}
