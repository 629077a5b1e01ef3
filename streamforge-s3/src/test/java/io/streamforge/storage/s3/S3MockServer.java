package io.streamforge.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The server s3mock in a JVM of its own, with one bucket. It knows much of the protocol, but checks
 * and writes in two steps: what races is tested with {@link S3Stub}.
 */
final class S3MockServer implements AutoCloseable {
  static final String BUCKET = "bucket";
  private static final Duration START = Duration.ofMinutes(2);

  private final int port;
  private final Process process;

  S3MockServer() throws IOException {
    Path target = Path.of("target");
    Path classPath = target.resolve("s3mock.classpath");
    assertThat(classPath).as("the class path of s3mock, which the build writes").exists();
    Path temporary = Files.createDirectories(target.resolve("s3mock"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Djava.io.tmpdir=" + temporary.toAbsolutePath(),
                "-cp",
                Files.readString(classPath),
                "com.adobe.testing.s3mock.S3MockApplication",
                "--server.port=0",
                "--http.port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(target.resolve("s3mock.log").toFile())
            .start();
    try {
      await()
          .alias("s3mock, which writes to target/s3mock.log")
          .atMost(START)
          .pollInterval(Duration.ofMillis(100))
          .until(this::hasBucket);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private boolean hasBucket() throws IOException {
    assertThat(process.isAlive()).as("s3mock is alive").isTrue();
    HttpURLConnection connection =
        (HttpURLConnection) endpoint().resolve("/" + BUCKET).toURL().openConnection();
    try {
      connection.setRequestMethod("PUT");
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      // It does not listen yet.
      return false;
    } finally {
      connection.disconnect();
    }
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** A storage as users have it, but for the credentials. */
  S3Storage open(String bucket, String prefix) {
    return S3Storage.open(
        new S3Location(bucket, prefix),
        new S3Settings(endpoint(), "us-east-1", true),
        S3Stub.CREDENTIALS,
        S3Limits.DEFAULT);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
