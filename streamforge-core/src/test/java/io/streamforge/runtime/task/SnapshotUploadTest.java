package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.scheduler.WorkerScheduler;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ForwardedStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.file.DirectoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An upload whose task is abandoned when the job's threads have ended, or cannot end. */
class SnapshotUploadTest {
  /** So much that the task is told when it has been written. */
  private static final byte[] CHUNK = new byte[5 << 20];

  @TempDir Path temp;
  private final WorkerScheduler scheduler =
      new WorkerScheduler("test", 1, Duration.ofMillis(100), e -> {});
  private final CountDownLatch written = new CountDownLatch(1);
  private final ConcurrentLinkedQueue<Object> reports = new ConcurrentLinkedQueue<>();
  private Watched storage;
  private SnapshotUpload upload;

  @BeforeEach
  void begin() throws IOException {
    storage = new Watched(DirectoryStorage.open(temp.resolve("job")));
    LogOwner owner = CheckpointLog.open(storage, "job").claim(1, "test", 1, 0);
    owner.begin(0, 0);
    upload =
        new SnapshotUpload(
            owner,
            owner.dataName(owner.nextNumber(), "0-0"),
            scheduler,
            written::countDown,
            reports::add,
            reports::add);
  }

  /** Tells what becomes of the writer, and keeps whoever writes for as long as a test wants. */
  private static final class Watched extends ForwardedStorage {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    final CountDownLatch leave = new CountDownLatch(1);
    volatile boolean stays;
    volatile boolean within;
    volatile boolean closedWithin;

    Watched(CheckpointStorage storage) {
      super(storage);
    }

    @Override
    public ObjectWriter write(String name) throws IOException {
      ObjectWriter writer = super.write(name);
      return new ObjectWriter() {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          within = true;
          begun.countDown();
          while (stays && leave.getCount() > 0) {
            try {
              leave.await();
            } catch (InterruptedException e) {
              // A call that cannot be interrupted.
              continue;
            }
          }
          writer.write(bytes, offset, length);
          within = false;
        }

        @Override
        public void complete() throws IOException {
          writer.complete();
        }

        @Override
        public void close() throws IOException {
          closedWithin = within;
          writer.close();
          closed.countDown();
        }
      };
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void writerIsReleasedAlsoWhenNoThreadIsLeftToDoIt() throws Exception {
    upload.write(0, CHUNK);
    await(written);
    scheduler.close();

    upload.abandon();
    upload.release();

    await(storage.closed);
    assertThat(storage.list("data")).isEmpty();
    assertThat(reports).isEmpty();
  }

  @Test
  void writerIsLeftToTheThreadThatIsInACallOfTheStorage() throws Exception {
    storage.stays = true;
    upload.write(0, CHUNK);
    await(storage.begun);
    scheduler.close();

    upload.abandon();
    upload.release();
    assertThat(storage.closed.getCount()).as("it is in use").isEqualTo(1);

    storage.leave.countDown();
    await(storage.closed);
    assertThat(storage.closedWithin).isFalse();
    assertThat(storage.list("data")).isEmpty();
    assertThat(reports).isEmpty();
  }

  @Test
  void uploadThatWasNeverBegunHoldsNothing() throws Exception {
    scheduler.close();
    upload.release();
    upload.write(0, CHUNK);
    upload.release();

    assertThat(storage.list("data")).isEmpty();
    assertThat(storage.closed.getCount()).isEqualTo(1);
  }
}
