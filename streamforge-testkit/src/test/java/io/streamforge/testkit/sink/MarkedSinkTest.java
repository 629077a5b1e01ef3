package io.streamforge.testkit.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.record.Record;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.SinkFaults.Call;
import io.streamforge.testkit.sink.SinkFaults.Moment;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkedSinkTest {
  private final MarkedSink<String, Integer> sink = new MarkedSink<>();

  private static SinkContext context(boolean checkpointed) {
    return new SinkContext("job", "out", 0, 1, new VirtualClock(0), checkpointed);
  }

  private CommittingWriter<String, Integer> start(WriterState... writers) throws Exception {
    sink.fence(context(true), List.of(writers));
    sink.recover(context(true), List.of(writers), () -> {});
    return sink.writer(context(true));
  }

  private static WriterState state(Committable... committables) {
    return new WriterState("0", 0, List.of(committables));
  }

  private List<Integer> values() {
    return sink.records().stream().map(Record::value).toList();
  }

  private void failAt(Call failing, Moment when) {
    sink.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == failing && moment == when) {
            throw new IOException(call + " " + moment + " " + writer + " " + checkpoint);
          }
        });
  }

  @Test
  void outputIsShownOnceWhenItIsCommitted() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    writer.write("b", 2, 0, null);
    Committable first = writer.prepare(3).get(0);
    assertThat(writer.prepare(4)).isEmpty();
    assertThat(values()).isEmpty();

    assertThat(writer.commit(first)).isInstanceOf(CommitResult.Committed.class);
    assertThat(writer.commit(first)).isInstanceOf(CommitResult.AlreadyCommitted.class);
    assertThat(sink.shown())
        .containsExactly(
            new MarkedSink.Shown<>("0", 3, List.of(Record.of("a", 1, 0), Record.of("b", 2, 0))));
    assertThat(sink.markers()).isEqualTo(Map.of("0", 3L));
    assertThat(sink.fence(context(true), List.of(state(first))))
        .containsExactly(new WriterMarker("0", 3));
    sink.recover(context(true), List.of(state(first)), () -> {});
    assertThat(values()).containsExactly(1, 2);
  }

  @Test
  void aStartCommitsWhatACheckpointHoldsAndForgetsTheRest() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    Committable published = writer.prepare(1).get(0);
    writer.write("a", 2, 0, null);
    writer.prepare(2);
    assertThat(sink.waiting()).isEqualTo(2);

    start(state(published));
    assertThat(values()).containsExactly(1);
    assertThat(sink.waiting()).isZero();
  }

  @Test
  void writersOfEarlierStartsAreFenced() throws Exception {
    CommittingWriter<String, Integer> sleeper = start();
    sleeper.write("a", 1, 0, null);
    Committable published = sleeper.prepare(1).get(0);
    start(state(published));

    sleeper.write("a", 2, 0, null);
    assertThatThrownBy(() -> sleeper.prepare(2)).isInstanceOf(FencedWriterException.class);
    assertThatThrownBy(() -> sleeper.commit(published)).isInstanceOf(FencedWriterException.class);
    assertThatThrownBy(sleeper::finish).isInstanceOf(FencedWriterException.class);
    assertThat(values()).containsExactly(1);
  }

  @Test
  void aCommitFailsBeforeOrBehindItsEffect() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    Committable committable = writer.prepare(1).get(0);

    failAt(Call.COMMIT, Moment.BEFORE);
    assertThatThrownBy(() -> writer.commit(committable)).hasMessage("COMMIT BEFORE 0 1");
    assertThat(values()).isEmpty();
    failAt(Call.COMMIT, Moment.BEHIND);
    assertThatThrownBy(() -> writer.commit(committable)).hasMessage("COMMIT BEHIND 0 1");
    assertThat(values()).containsExactly(1);
    sink.faults(SinkFaults.NONE);
    assertThat(writer.commit(committable)).isInstanceOf(CommitResult.AlreadyCommitted.class);
  }

  @Test
  void aPrepareFailsBeforeOrBehindItsEffect() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    failAt(Call.PREPARE, Moment.BEFORE);
    assertThatThrownBy(() -> writer.prepare(1)).hasMessage("PREPARE BEFORE 0 1");
    assertThat(sink.waiting()).isZero();
    failAt(Call.PREPARE, Moment.BEHIND);
    assertThatThrownBy(() -> writer.prepare(1)).hasMessage("PREPARE BEHIND 0 1");
    assertThat(sink.waiting()).isEqualTo(1);
  }

  @Test
  void aStartThatFailsBehindItsEffectHasFenced() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    failAt(Call.FENCE, Moment.BEFORE);
    assertThatThrownBy(() -> start()).hasMessageContaining("FENCE BEFORE");
    assertThat(writer.prepare(1)).isEmpty();
    failAt(Call.FENCE, Moment.BEHIND);
    assertThatThrownBy(() -> start()).hasMessageContaining("FENCE BEHIND");
    assertThatThrownBy(() -> writer.prepare(2)).isInstanceOf(FencedWriterException.class);
  }

  @Test
  void whatWasPreparedIsForgottenByRecoveryAndNotByFencing() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    writer.prepare(1);

    sink.fence(context(true), List.of());
    failAt(Call.RECOVER, Moment.BEFORE);
    assertThatThrownBy(() -> start()).hasMessageContaining("RECOVER BEFORE");
    assertThat(sink.waiting()).isEqualTo(1);
    failAt(Call.RECOVER, Moment.BEHIND);
    assertThatThrownBy(() -> start()).hasMessageContaining("RECOVER BEHIND");
    assertThat(sink.waiting()).isZero();
  }

  @Test
  void whatHasExpiredIsLost() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    Committable committable = writer.prepare(1).get(0);
    sink.losePrepared();

    assertThat(writer.commit(committable))
        .isEqualTo(new CommitResult.Lost("output of writer 0 for checkpoint 1 is not there"));
    assertThatThrownBy(() -> start(state(committable)))
        .hasMessage("output of writer 0 for checkpoint 1 is not there");
  }

  @Test
  void aNumberThatIsUsedTwiceLosesOutput() throws Exception {
    CommittingWriter<String, Integer> writer = start();
    writer.write("a", 1, 0, null);
    writer.commit(writer.prepare(1).get(0));
    writer.write("a", 2, 0, null);

    assertThat(writer.commit(writer.prepare(1).get(0)))
        .isInstanceOf(CommitResult.AlreadyCommitted.class);
    assertThat(values()).containsExactly(1);
  }

  @Test
  void withoutCheckpointsOutputIsShownWhenItIsComplete() throws Exception {
    CommittingWriter<String, Integer> writer = sink.writer(context(false));
    writer.write("a", 1, 0, null);
    assertThat(values()).isEmpty();
    writer.finish();
    assertThat(values()).containsExactly(1);
  }
}
