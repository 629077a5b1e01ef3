package io.streamforge.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import io.streamforge.testkit.s3.S3TestServer.Fault;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that go wrong on the way, and what the caller is told. */
class S3FaultsTest {
  private static final int PART = S3Stub.LIMITS.partBytes();
  private static final Fault LOST = new Fault.ReplyLost();

  private final S3Stub server = new S3Stub();
  private final S3Storage storage = server.open("job");

  @AfterEach
  void stopServer() {
    storage.close();
    server.close();
  }

  @Test
  void whatFailsForAMomentIsTriedAgain() throws IOException {
    for (Fault fault :
        List.of(
            new Fault.Refused(500, "InternalError"),
            new Fault.Refused(503, "SlowDown"),
            new Fault.Refused(409, "ConditionalRequestConflict"))) {
      String name = "log/" + fault.hashCode();
      server.plan(Operation.PUT, 2, fault);

      assertThat(storage.createIfAbsent(name, new byte[] {1})).as("%s", fault).isTrue();
      assertThat(server.calls(Operation.PUT)).as("%s", fault).isEqualTo(3);
    }
  }

  @Test
  void aCreationWhoseReplyWasLostIsToldNoAndReadsItsOwn() throws IOException {
    server.plan(Operation.PUT, 1, LOST);

    assertThat(storage.createIfAbsent("log/1", "own".getBytes(UTF_8))).isFalse();
    assertThat(storage.read("log/1", 0, 10)).isEqualTo("own".getBytes(UTF_8));
  }

  @Test
  void aCreationThatIsNeverAnsweredIsInDoubt() throws IOException {
    server.plan(Operation.PUT, 4, LOST);

    assertThatThrownBy(() -> storage.createIfAbsent("log/1", "own".getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the object 'log/1' in s3://bucket/job cannot be created")
        .hasMessageContaining("(4 times)")
        .hasMessageContaining("whether it had its effect is not known");
    assertThat(storage.read("log/1", 0, 10)).isEqualTo("own".getBytes(UTF_8));
  }

  @Test
  void aWriterKnowsItsObjectWhenTheReplyWasLost() throws IOException {
    server.plan(Operation.PUT, 1, LOST);
    S3StorageTest.put(storage, "data/small", 10);

    server.plan(Operation.COMPLETE, 1, LOST);
    S3StorageTest.put(storage, "data/large", 2 * PART);

    assertThat(server.keys()).containsExactly("job/data/large", "job/data/small");
    assertThat(server.openUploads()).isZero();
  }

  @Test
  void aPartWhoseReplyWasLostIsSentAgain() throws IOException {
    server.plan(Operation.PART, 1, LOST);

    S3StorageTest.put(storage, "data/a", 3 * PART);

    assertThat(server.calls(Operation.PART)).isEqualTo(4);
    assertThat(server.content("job/data/a")).hasSize(3 * PART);
  }

  @Test
  void aLargeObjectThatCannotBeWrittenIsGivenBack() throws IOException {
    server.plan(Operation.PART, 4, new Fault.Refused(500, "InternalError"));

    assertThatThrownBy(() -> S3StorageTest.put(storage, "data/a", 2 * PART))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the object 'data/a' in s3://bucket/job cannot be written")
        .hasMessageContaining("replied 500 InternalError (4 times): the stub says so");
    assertThat(server.openUploads()).isZero();
  }

  @Test
  void givingBackWhatIsGoneIsFine() throws IOException {
    try (ObjectWriter writer = storage.write("data/a")) {
      writer.write(new byte[2 * PART], 0, 2 * PART);
      server.plan(Operation.ABORT, 1, LOST);
    }

    assertThat(server.calls(Operation.ABORT)).isEqualTo(2);
  }

  @Test
  void aReplyThatBreaksOffIsNotTakenForTheEndOfTheObject() throws IOException {
    server.put("job/data/a", "0123456789".getBytes(UTF_8));
    server.plan(Operation.GET, 1, new Fault.ReplyCut());

    assertThat(storage.read("data/a", 0, 100)).isEqualTo("0123456789".getBytes(UTF_8));
    assertThat(server.calls(Operation.GET)).isEqualTo(2);

    // More than there are tries: the HTTP client may repeat a cut reply's request on its own.
    server.plan(Operation.GET, 100, new Fault.ReplyCut());
    assertThatThrownBy(() -> storage.read("data/a", 0, 100))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the object 'data/a' in s3://bucket/job cannot be read");
  }

  @Test
  void aReplyInXmlThatBreaksOffIsAskedForAgain() throws IOException {
    server.put("job/data/a", new byte[1]);
    server.plan(Operation.LIST, 1, new Fault.ReplyCut());

    assertThat(storage.list("data")).containsExactly(new StoredObject("data/a", 1));
    assertThat(server.calls(Operation.LIST)).isEqualTo(2);

    server.plan(Operation.LIST, 4, new Fault.ReplyCut());
    assertThatThrownBy(() -> storage.list("data"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the objects in s3://bucket/job cannot be listed: the request got no whole reply from"
                + " the server "
                + server.endpoint()
                + " (4 times): ");
  }

  @Test
  void aServerThatDoesNotReplyIsNotAwaitedForever() {
    S3Limits impatient =
        new S3Limits(
            PART,
            Duration.ofSeconds(5),
            Duration.ofMillis(300),
            Duration.ofSeconds(20),
            2,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(1));
    try (S3Storage hasty =
        S3Storage.openExisting(
            new S3Location(S3Stub.BUCKET, "job"),
            server.settings(),
            S3Stub.CREDENTIALS,
            impatient)) {
      server.plan(Operation.PUT, 2, new Fault.Silent());

      assertThatThrownBy(() -> hasty.createIfAbsent("log/1", new byte[1]))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did not reply in time (2 times)")
          .hasMessageContaining("whether the request had its effect is not known");
      assertThat(server.calls(Operation.PUT)).isEqualTo(2);
    }
  }

  @Test
  void anInterruptionEndsACall() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> storage.read("data/a", 0, 1))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("the object 'data/a' in s3://bucket/job cannot be read");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void deletionsAreRepeated() throws IOException {
    server.put("job/data/a", new byte[1]);
    server.plan(Operation.DELETE, 1, LOST);

    storage.delete(List.of("data/a"));

    assertThat(server.keys()).isEmpty();
  }
}
