package io.streamforge.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.testkit.s3.S3TestServer.Fault;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log of checkpoints does on S3 what it does in a directory. */
class S3CheckpointLogTest {
  private static final Manifest EMPTY = new Manifest(16, 0, List.of());

  private final S3Stub server = new S3Stub();
  private final S3Storage one = server.open("job");
  private final S3Storage other = server.open("job");

  @AfterEach
  void stopServer() {
    one.close();
    other.close();
    server.close();
  }

  private static LogOwner take(S3Storage storage, long token) throws IOException {
    LogOwner owner = CheckpointLog.open(storage, "job").claim(token, "process " + token, 3, 1_000);
    LogEntry.Published newest = owner.history().usable().checkpoint();
    owner.begin(newest == null ? 0 : newest.position(), 0);
    return owner;
  }

  @Test
  void whatOneProcessPublishesTheNextFinds() throws IOException {
    LogOwner first = take(one, 1);
    first.publish(EMPTY, 5);
    first.publish(new Manifest(32, 7, List.of()), 6);

    LogOwner second = take(other, 2);

    assertThat(second.history().usable().checkpoint())
        .satisfies(
            found -> {
              assertThat(found.number()).isEqualTo(3);
              assertThat(found.manifest()).isEqualTo(new Manifest(32, 7, List.of()));
            });
  }

  @Test
  void theSecondOwnerFencesTheFirst() throws IOException {
    LogOwner first = take(one, 1);
    first.publish(EMPTY, 5);
    LogOwner second = take(other, 2);

    assertThatThrownBy(() -> first.publish(EMPTY, 6))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_FENCED))
        .hasMessageContaining(
            "another process runs the job with the checkpoints in s3://bucket/job")
        .hasMessageContaining("by 'process 2'");
    second.publish(EMPTY, 7);
    assertThat(server.keys())
        .contains("job/log/0000000000000000004")
        .doesNotContain("job/log/0000000000000000005");
  }

  @Test
  void aLostReplyIsNotTakenForAnotherProcess() throws IOException {
    LogOwner owner = take(one, 1);
    server.plan(Operation.PUT, 1, new Fault.ReplyLost());

    assertThat(owner.publish(EMPTY, 5)).isInstanceOf(LogEntry.Published.class);
    assertThat(owner.publish(EMPTY, 6).position()).isEqualTo(3);
  }

  @Test
  void anEntryThatIsDamagedIsNamedAndTheOneBeforeIsUsed() throws IOException {
    LogOwner owner = take(one, 1);
    owner.publish(EMPTY, 5);
    owner.publish(EMPTY, 6);
    String damaged = "job/log/0000000000000000003";
    server.put(damaged, Arrays.copyOf(server.content(damaged), 30));

    CheckpointHistory.Usable usable = CheckpointLog.openExisting(other).read().usable();

    assertThat(usable.checkpoint()).extracting(LogEntry::position).isEqualTo(2L);
    assertThat(usable.skipped())
        .singleElement()
        .extracting(CheckpointHistory.Skipped::reason)
        .asString()
        .startsWith("the object 'log/0000000000000000003' in s3://bucket/job");
  }
}
