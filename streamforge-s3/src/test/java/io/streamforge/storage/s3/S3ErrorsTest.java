package io.streamforge.storage.s3;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.testkit.s3.S3TestServer.Fault;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What can be wrong with a bucket, a server or credentials, and how it is told. */
class S3ErrorsTest {
  private final S3Stub server = new S3Stub();
  private final String name = "the server " + server.settings().endpoint();

  @AfterEach
  void stopServer() {
    server.close();
  }

  private S3Storage open(String bucket, AwsCredentialsProvider credentials) {
    return S3Storage.open(
        new S3Location(bucket, "job"), server.settings(), credentials, S3Stub.LIMITS);
  }

  private static void assertUnavailable(String summary, String remedy, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e.summary()).isEqualTo(summary);
              assertThat(e.remedy()).isEqualTo(remedy);
            });
  }

  @Test
  void aBucketThatDoesNotExist() {
    assertUnavailable(
        "the objects in s3://missing/job cannot be listed: there is no bucket missing on " + name,
        "Make the bucket, or correct the location.",
        () -> open("missing", S3Stub.CREDENTIALS));
  }

  @Test
  void anAccessKeyThatIsNotKnown() {
    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: "
            + name
            + " does not know the access key (403 InvalidAccessKeyId)",
        "Provide an access key of this server, in AWS_ACCESS_KEY_ID or in whatever the AWS SDK takes"
            + " it from.",
        () -> open("bucket", S3Stub.credentials("another-key")));
  }

  @Test
  void aSecretKeyThatIsWrong() {
    server.refuse(Operation.LIST, 403, "SignatureDoesNotMatch");

    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: the secret key is not that of the access"
            + " key (403 SignatureDoesNotMatch)",
        "Provide both keys of the same pair, and let no proxy change the requests.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void aTokenThatHasExpired() {
    server.refuse(Operation.LIST, 400, "ExpiredToken");

    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: the session token is not valid, or not any"
            + " more (400 ExpiredToken)",
        "Provide a new one, or a role, whose tokens the AWS SDK renews by itself.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void aClockThatIsWrong() {
    server.refuse(Operation.LIST, 403, "RequestTimeTooSkewed");

    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: the clock of this machine differs from"
            + " that of "
            + name
            + " (403 RequestTimeTooSkewed)",
        "Set the clock.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void noCredentialsAtAll() {
    assertUnavailable(
        "checkpoints in s3://bucket/job cannot be reached: no credentials were found",
        "Provide them in one of the ways of the AWS SDK: AWS_ACCESS_KEY_ID and"
            + " AWS_SECRET_ACCESS_KEY, a profile, or a role of the machine or the pod.",
        () ->
            open(
                "bucket",
                () -> {
                  throw SdkClientException.create("Unable to load credentials");
                }));
  }

  @Test
  void aPermissionThatIsMissingIsNamedAtOpen() {
    record Case(Operation operation, String what, String permission, String resource) {}
    List<Case> cases =
        List.of(
            new Case(Operation.LIST, "the objects in s3://bucket/job", "s3:ListBucket", "bucket"),
            new Case(
                Operation.GET,
                "the object 'tmp/probe-",
                "s3:GetObject",
                "bucket/job/*, and s3:ListBucket without conditions on arn:aws:s3:::bucket"),
            new Case(Operation.PUT, "the object 'tmp/probe-", "s3:PutObject", "bucket/job/*"),
            new Case(
                Operation.DELETE,
                "the objects in s3://bucket/job",
                "s3:DeleteObject",
                "bucket/job/*"));
    for (Case denied : cases) {
      try (S3Stub strict = new S3Stub()) {
        strict.refuse(denied.operation, 403, "AccessDenied");

        assertThatThrownBy(() -> strict.open("job"))
            .as("%s", denied)
            .isInstanceOfSatisfying(
                StreamForgeException.class,
                e -> {
                  assertThat(e.summary()).startsWith(denied.what);
                  assertThat(e.summary()).endsWith("access is denied (403 AccessDenied)");
                  assertThat(e.remedy())
                      .isEqualTo(
                          "Grant the credentials the permission %s on arn:aws:s3:::%s."
                              .formatted(denied.permission, denied.resource));
                });
      }
    }
  }

  @Test
  void aPermissionThatIsMissingLaterIsNamed() {
    try (S3Storage storage = server.open("job")) {
      server.refuse(Operation.GET, 403, "AccessDenied");
      server.refuse(Operation.HEAD, 403, "AccessDenied");
      server.refuse(Operation.BEGIN, 403, "AccessDenied");

      for (int length : List.of(0, 1)) {
        assertThatThrownBy(() -> storage.read("log/1", 0, length))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("the object 'log/1' in s3://bucket/job cannot be read: access is")
            .hasMessageContaining(
                "; grant the credentials the permission s3:GetObject on arn:aws:");
      }
      assertThatThrownBy(() -> S3StorageTest.put(storage, "data/a", 2 * S3Stub.LIMITS.partBytes()))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the object 'data/a' in s3://bucket/job cannot be written: access is denied (403"
                  + " AccessDenied); grant the credentials the permission s3:PutObject on"
                  + " arn:aws:s3:::bucket/job/*");
    }
  }

  @Test
  void partsThatMayNotBeGivenBack() {
    try (S3Storage storage = server.open("job")) {
      server.refuse(Operation.ABORT, 403, "AccessDenied");

      assertThatThrownBy(
              () -> {
                try (var writer = storage.write("data/a")) {
                  int length = 2 * S3Stub.LIMITS.partBytes();
                  writer.write(new byte[length], 0, length);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the object 'data/a' in s3://bucket/job cannot be abandoned")
          .hasMessageContaining("s3:AbortMultipartUpload");
    }
  }

  @Test
  void aBucketThatIsElsewhere() {
    server.plan(
        Operation.LIST,
        1,
        new Fault.Refused(
            301, "PermanentRedirect", Map.of("x-amz-bucket-region", "ap-southeast-2")));

    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: the bucket is in another region than "
            + name
            + " (301 PermanentRedirect)",
        "Set STREAMFORGE_S3_REGION to ap-southeast-2.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void aServerThatIsNotThere() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    URI nobody = URI.create("http://127.0.0.1:" + port);

    assertThatThrownBy(
            () ->
                S3Storage.open(
                    new S3Location("bucket", "job"),
                    new S3Settings(nobody, "eu-west-1", true),
                    S3Stub.CREDENTIALS,
                    S3Stub.LIMITS))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.summary())
                  .startsWith(
                      "the objects in s3://bucket/job cannot be listed: the server "
                          + nobody
                          + " cannot be reached (java.net.ConnectException: ");
              assertThat(e.remedy())
                  .isEqualTo(
                      "Check the endpoint (STREAMFORGE_S3_ENDPOINT), and that the network leads"
                          + " there.");
            });
  }

  @Test
  void aServerWhoseNameIsNotKnown() {
    assertThatThrownBy(
            () ->
                S3Storage.open(
                    new S3Location("bucket", "job"),
                    new S3Settings(URI.create("http://s3.invalid"), "eu-west-1", true),
                    S3Stub.CREDENTIALS,
                    S3Stub.LIMITS))
        .hasMessageContaining("the server http://s3.invalid cannot be reached");
  }

  @Test
  void aServerThatSpeaksNoTls() throws IOException {
    try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread replies = new Thread(() -> replyInPlainText(plain));
      replies.setDaemon(true);
      replies.start();
      URI secure = URI.create("https://127.0.0.1:" + plain.getLocalPort());

      assertThatThrownBy(
              () ->
                  S3Storage.open(
                      new S3Location("bucket", "job"),
                      new S3Settings(secure, "eu-west-1", true),
                      S3Stub.CREDENTIALS,
                      S3Stub.LIMITS))
          .hasMessageContaining("no secure connection to the server " + secure + " can be made")
          .hasMessageContaining("Remedy: Write http:// if the server has no TLS");
    }
  }

  private static void replyInPlainText(ServerSocket server) {
    while (!server.isClosed()) {
      try (Socket connection = server.accept()) {
        connection.getInputStream().read();
        connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      } catch (IOException e) {
        // The test has closed the server, or the client has seen enough.
        continue;
      }
    }
  }

  @Test
  void aServerThatIsAskedTooMuch() {
    server.refuse(Operation.LIST, 503, "SlowDown");

    assertUnavailable(
        "the objects in s3://bucket/job cannot be listed: "
            + name
            + " is asked too much (503 SlowDown, 4 times)",
        "Try again later; if it happens often, take checkpoints less often or give the job a prefix"
            + " of its own.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void aServerThatIgnoresTheConditionIsNotUsed() {
    server.ignoreConditions();

    assertUnavailable(
        "checkpoints cannot be kept in s3://bucket/job: "
            + name
            + " has no conditional writes (it ignores the header If-None-Match), so two processes"
            + " that run the job could not be kept apart",
        "Use a server that has them, such as AWS or a newer version of this one, or a directory.",
        () -> open("bucket", S3Stub.CREDENTIALS));
    assertThat(server.keys()).isEmpty();
  }

  @Test
  void aServerThatRefusesTheConditionIsNotUsed() {
    server.refuse(Operation.PUT, 501, "NotImplemented");

    assertUnavailable(
        "checkpoints cannot be kept in s3://bucket/job: "
            + name
            + " has no conditional writes (it replied 501 NotImplemented to the header"
            + " If-None-Match), so two processes that run the job could not be kept apart",
        "Use a server that has them, such as AWS or a newer version of this one, or a directory.",
        () -> open("bucket", S3Stub.CREDENTIALS));
  }

  @Test
  void secretsAreNeverShown() {
    try (S3Storage storage = server.open("job")) {
      assertThat(storage.toString()).isEqualTo("s3://bucket/job");
      assertThat(server.settings().toString()).doesNotContain("test-key").doesNotContain("secret");
    }
  }
}
