package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.backend.EntrySchema;
import io.streamforge.connector.FakeClock;
import io.streamforge.error.ErrorContext;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.Serdes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What of the records on their way to a task is part of a checkpoint that overtakes them. */
class ChannelInputTest {
  private static final int CREDITS = 8;
  private static final RecordForm FORM = new RecordForm(Serdes.string(), Serdes.string());

  private final FakeClock clock = new FakeClock();
  private final Gate gate = new Gate();
  private final List<String> processed = new ArrayList<>();
  private final Output head =
      new Output() {
        @Override
        public void process(
            @Nullable Object key,
            @Nullable Object value,
            long timestampMillis,
            @Nullable Headers headers) {
          processed.add(String.valueOf(value));
        }
      };

  private List<Channel<Batch>> channels = List.of();

  private ChannelInput input(int count, String... restored) {
    return input(count, true, restored);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private ChannelInput input(int count, boolean holds, String... restored) {
    Channel<Batch>[] made = new Channel[count];
    Output[] heads = new Output[count];
    Sender[] senders = new Sender[count];
    List<Inlet> inlets = new ArrayList<>();
    List<Overflow.Held> left = new ArrayList<>();
    for (String value : restored) {
      left.add(new Overflow.Held("k", value, 7, 1, null));
    }
    Inlet inlet = new Inlet("from", "node", FORM, Batch.of(left));
    for (int i = 0; i < count; i++) {
      made[i] = new Channel<>(CREDITS, () -> new Batch(16), () -> new Batch(0));
      heads[i] = head;
      senders[i] = new Sender("from", "0[" + i + "]");
      inlets.add(inlet);
    }
    channels = List.of(made);
    return new ChannelInput(made, heads, senders, inlets, holds, new KeyContext(), gate, clock);
  }

  private Batch batch(int channel, String... values) {
    Batch batch = Objects.requireNonNull(channels.get(channel).takeCredit());
    for (String value : values) {
      batch.add("k", value, 7, 1, null);
    }
    return batch;
  }

  private void send(int channel, String... values) {
    channels.get(channel).send(batch(channel, values));
  }

  private void barrier(int channel, long checkpoint, String... values) {
    Batch batch = batch(channel, values);
    batch.barrier = checkpoint;
    channels.get(channel).send(batch);
  }

  private void end(int channel, String... values) {
    Batch batch = batch(channel, values);
    batch.end = true;
    channels.get(channel).send(batch);
  }

  /** The values in flight; null while barriers are missing. */
  private static @Nullable List<String> inFlight(InFlightRecorder recorder) {
    if (!recorder.complete()) {
      return null;
    }
    List<String> values = new ArrayList<>();
    for (InFlightRecorder.Exchanged exchanged : recorder.exchanges()) {
      if (exchanged.chunks.isEmpty()) {
        continue;
      }
      RecordForm.Reader reader =
          FORM.reader(EntrySchema.read(exchanged.chunks.get(0)), "the records", ErrorContext.NONE);
      for (byte[] chunk : exchanged.chunks.subList(1, exchanged.chunks.size())) {
        for (ByteReader bytes = new ByteReader(chunk); bytes.remaining() > 0; ) {
          values.add(String.valueOf(reader.read(bytes).value()));
        }
      }
    }
    return values;
  }

  private static InFlightRecorder overtake(ChannelInput input, long checkpoint) {
    InFlightRecorder recorder = input.overtake(checkpoint);
    input.settled(checkpoint);
    return recorder;
  }

  private static void drain(ChannelInput input) throws Exception {
    while (input.step(100)) {
      // Until there is nothing more.
    }
  }

  @Test
  void whatIsLeftOfTheBatchInHandAndAllUpToTheBarrierIsInFlight() throws Exception {
    ChannelInput input = input(1);
    send(0, "a", "b", "c");
    send(0, "d");
    input.step(1);

    InFlightRecorder recorder = overtake(input, 5);
    assertThat(inFlight(recorder)).as("before the barrier has come").isNull();
    drain(input);
    send(0, "e");
    barrier(0, 5, "f");
    send(0, "g");

    assertThat(inFlight(recorder)).containsExactly("b", "c", "d", "e", "f");
    drain(input);
    assertThat(processed).containsExactly("a", "b", "c", "d", "e", "f", "g");
    assertThat(inFlight(recorder)).containsExactly("b", "c", "d", "e", "f");
  }

  @Test
  void aQueuedBarrierIsSeenWithoutProcessingWhatIsBeforeIt() throws Exception {
    ChannelInput input = input(2);
    send(0, "a");
    barrier(0, 5, "b");
    barrier(1, 5, "c");

    assertThat(inFlight(overtake(input, 5))).containsExactly("a", "b", "c");
    assertThat(processed).isEmpty();
  }

  @Test
  void anInputThatHasBroughtTheBarrierGoesOnAndHasNothingInFlight() throws Exception {
    ChannelInput input = input(2);
    barrier(0, 5, "a");
    send(0, "behind");
    send(1, "b");
    drain(input);
    assertThat(processed).containsExactly("a", "b");

    InFlightRecorder recorder = overtake(input, 5);
    drain(input);
    send(1, "c");
    barrier(1, 5);

    assertThat(processed).containsExactly("a", "b", "behind");
    assertThat(inFlight(recorder)).containsExactly("c");
  }

  @Test
  void theEndOfAnInputStandsForItsBarrier() throws Exception {
    ChannelInput input = input(2);
    end(0, "a");
    drain(input);
    end(1, "b");

    assertThat(inFlight(overtake(input, 5))).containsExactly("b");
  }

  /** C09: of a checkpoint that was given up. */
  @Test
  void c09AStaleBarrierIsNoneOfThisCheckpoint() {
    ChannelInput input = input(1);
    barrier(0, 4, "a");
    InFlightRecorder recorder = overtake(input, 5);
    assertThat(inFlight(recorder)).isNull();

    barrier(0, 5, "b");
    assertThat(inFlight(recorder)).containsExactly("a", "b");
  }

  @Test
  void restoredRecordsComeFirstAndAreInFlightAgainUntilTheyHave() throws Exception {
    ChannelInput input = input(2, "r1", "r2", "r3");
    barrier(0, 5, "a");
    barrier(1, 5, "b");
    input.step(1);

    InFlightRecorder recorder = overtake(input, 5);
    assertThat(inFlight(recorder)).containsExactly("r2", "r3", "a", "b");
    drain(input);
    assertThat(processed).containsExactly("r1", "r2", "r3", "a", "b");
  }

  @Test
  void moreThanACheckpointMayHoldIsNotRecorded() {
    ChannelInput input = input(1);
    InFlightRecorder recorder = input.overtake(5);
    Batch large = new Batch(1);
    large.add("k", "x".repeat(33 << 20), 7, 1, null);
    recorder.taken(0, large);
    assertThat(recorder.isTooMuch()).isFalse();
    recorder.taken(0, large);

    assertThat(recorder.isTooMuch()).isTrue();
    assertThat(recorder.complete()).isFalse();
    assertThat(recorder.tooMuch())
        .isEqualTo(
            "more than 64 MiB of records were on their way to it, and 1 of its inputs have not"
                + " brought the barrier");
  }

  @Test
  void atLeastOnceAnInputThatHasBroughtTheBarrierIsReadOn() throws Exception {
    ChannelInput input = input(2, false);
    barrier(0, 5, "a");
    send(0, "behind");
    drain(input);
    assertThat(processed).containsExactly("a", "behind");
    assertThat(input.barrier()).isZero();

    barrier(1, 5, "b");
    send(1, "c");
    drain(input);
    assertThat(input.barrier()).isEqualTo(5);
    assertThat(processed).containsExactly("a", "behind", "b");
  }

  /** Whenever it overtakes: processed before, or in flight, and nothing of it twice. */
  @Test
  void theTimesOfTheFirstAndTheLastBarrierAreKeptAndWhoSentThat() throws Exception {
    ChannelInput input = input(3);
    clock.advanceMillis(100);
    barrier(1, 5);
    drain(input);
    clock.advanceMillis(250);

    assertThat(input.barrierTimes().aligned(5)).isNull();
    assertThat(input.barrierTimes().waitedNanos(5)).isEqualTo(250_000_000);
    assertThat(input.awaited(5)).extracting(Sender::task).containsExactly("0[0]", "0[2]");
    end(0);
    drain(input);
    barrier(2, 5);
    drain(input);
    clock.advanceMillis(1_000);
    assertThat(input.barrierTimes().aligned(5))
        .isEqualTo(new BarrierTimes.Aligned(5, 350_000_000, new Sender("from", "0[2]")));
    assertThat(input.barrierTimes().waitedNanos(5)).isEqualTo(250_000_000);
    assertThat(input.barrierTimes().waitedNanos(6)).isZero();
    assertThat(input.awaited(5)).isEmpty();
  }

  @Test
  void theEndOfTheLastInputThatHasNotBroughtItCompletesIt() throws Exception {
    ChannelInput input = input(2);
    barrier(0, 5);
    drain(input);
    clock.advanceMillis(70);
    end(1);
    drain(input);

    assertThat(input.barrierTimes().aligned(5))
        .isEqualTo(new BarrierTimes.Aligned(5, 70_000_000, new Sender("from", "0[1]")));
  }

  @Test
  void whoseBarriersAreOvertakenAndStillToComeIsKnown() throws Exception {
    ChannelInput input = input(2);
    barrier(0, 5);
    drain(input);
    InFlightRecorder recorder = overtake(input, 5);

    assertThat(input.awaited(5)).extracting(Sender::task).containsExactly("0[1]");
    barrier(1, 5);
    assertThat(recorder.complete()).isTrue();
    assertThat(recorder.last()).isEqualTo(new Sender("from", "0[1]"));
  }

  @Test
  void whatCameBeforeTheBarriersIsInTheStateOrInFlight() throws Exception {
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      int count = 1 + random.nextInt(3);
      processed.clear();
      ChannelInput input = input(count, "r1", "r2");
      List<String> before = new ArrayList<>(List.of("r1", "r2"));
      int[] sent = new int[count];
      int barriers = 0;
      boolean[] brought = new boolean[count];
      InFlightRecorder recorder = null;
      List<String> state = List.of();
      while (recorder == null || barriers < count) {
        int channel = random.nextInt(count);
        switch (random.nextInt(4)) {
          case 0 -> {
            if (channels.get(channel).creditsAtHand() > 0) {
              String value = channel + "-" + sent[channel]++;
              if (!brought[channel]) {
                before.add(value);
              }
              send(channel, value);
            }
          }
          case 1 -> {
            if (!brought[channel] && channels.get(channel).creditsAtHand() > 0) {
              brought[channel] = true;
              barriers++;
              barrier(channel, 9);
            }
          }
          case 2 -> input.step(1 + random.nextInt(3));
          default -> {
            if (recorder == null && random.nextInt(4) == 0) {
              state = List.copyOf(processed);
              recorder = overtake(input, 9);
            }
          }
        }
      }
      List<String> cut = new ArrayList<>(state);
      cut.addAll(Objects.requireNonNull(inFlight(recorder), "complete"));
      assertThat(cut).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(before);
    }
  }
}
