package io.streamforge.testkit.chaos;

import io.streamforge.testkit.s3.S3TestServer;
import io.streamforge.testkit.s3.S3TestServer.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Where the job's checkpoints are, and what goes wrong there. */
final class ChaosStorage implements AutoCloseable {
  static final String CHECKPOINTS = "checkpoints";

  /** Of a thousand requests so many go wrong in a way. */
  private static final int REFUSED = 20;

  private static final int THROTTLED = 5;
  private static final int REPLY_LOST = 10;
  private static final int REPLY_CUT = 10;
  private static final int LATE = 2;

  private static final int PAGE = 1_000;

  private final List<Tmpfs> disks = new ArrayList<>();
  private final List<Outage> survived = new ArrayList<>();
  private final List<Outage> fatal = new ArrayList<>();
  private final @Nullable S3TestServer server;
  private final String location;

  /**
   * Sets it up.
   *
   * @param longestDelay of a reply of S3
   */
  ChaosStorage(
      Path directory, Set<ChaosFault> faults, Duration longestDelay, SplittableRandom random)
      throws IOException {
    if (faults.contains(ChaosFault.S3)) {
      S3TestServer s3 = new S3TestServer();
      server = s3;
      location = "s3://" + S3TestServer.BUCKET + "/chaos";
      s3.pageSize(PAGE);
      SplittableRandom own = random.split();
      S3TestServer.Weather usual = () -> draw(own, longestDelay);
      s3.weather(usual);
      survived.add(s3Outage(s3, usual, 503, "SlowDown"));
      // It is tried again sooner than the other one: a start does not take long to give up.
      fatal.add(s3Outage(s3, usual, 500, "InternalError"));
      return;
    }
    server = null;
    Path checkpoints = directory.resolve(CHECKPOINTS);
    location = checkpoints.toString();
    if (faults.stream().noneMatch(ChaosFault::needsMount)) {
      return;
    }
    Tmpfs disk = mount(checkpoints);
    if (faults.contains(ChaosFault.DISK_FULL)) {
      survived.add(disk.full());
      fatal.add(disk.full());
      fatal.add(mount(directory.resolve("windows")).full());
    }
    if (faults.contains(ChaosFault.READ_ONLY)) {
      survived.add(disk.readOnly());
      fatal.add(disk.readOnly());
    }
  }

  private Tmpfs mount(Path directory) throws IOException {
    try {
      Tmpfs disk = Tmpfs.mount(directory);
      disks.add(disk);
      return disk;
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private static @Nullable Fault draw(SplittableRandom random, Duration longestDelay) {
    int drawn;
    long delay;
    synchronized (random) {
      drawn = random.nextInt(1_000);
      delay = random.nextLong(longestDelay.toMillis());
    }
    if ((drawn -= REFUSED) < 0) {
      return new Fault.Refused(500, "InternalError");
    }
    if ((drawn -= THROTTLED) < 0) {
      return new Fault.Refused(503, "SlowDown");
    }
    if ((drawn -= REPLY_LOST) < 0) {
      return new Fault.ReplyLost();
    }
    if ((drawn -= REPLY_CUT) < 0) {
      return new Fault.ReplyCut();
    }
    return drawn < LATE ? new Fault.Late(Duration.ofMillis(delay)) : null;
  }

  private static Outage s3Outage(
      S3TestServer server, S3TestServer.Weather usual, int status, String code) {
    return new Outage() {
      @Override
      public void begin() {
        server.weather(() -> new Fault.Refused(status, code));
      }

      @Override
      public void end() {
        server.weather(usual);
      }

      @Override
      public String reason() {
        return status + " " + code;
      }
    };
  }

  String location() {
    return location;
  }

  /** What a process needs to get there. */
  Map<String, String> environment() {
    S3TestServer s3 = server;
    return s3 == null
        ? Map.of()
        : Map.of(
            "STREAMFORGE_S3_ENDPOINT",
            s3.endpoint().toString(),
            "AWS_ACCESS_KEY_ID",
            S3TestServer.ACCESS_KEY,
            "AWS_SECRET_ACCESS_KEY",
            "secret");
  }

  /** Outages that a job survives, if they end. */
  List<Outage> survived() {
    return survived;
  }

  /** Outages in which a job cannot be started. */
  List<Outage> fatal() {
    return fatal;
  }

  /** Room for what the next processes write; while there is no outage. */
  void makeRoom() throws IOException {
    for (Tmpfs disk : disks) {
      disk.makeRoom();
    }
  }

  /** Ends what has not ended. */
  @Override
  public void close() throws IOException {
    for (Outage outage : survived) {
      outage.end();
    }
    for (Outage outage : fatal) {
      outage.end();
    }
    for (Tmpfs disk : disks) {
      disk.close();
    }
    if (server != null) {
      server.close();
    }
  }
}
