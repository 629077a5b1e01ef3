package io.streamforge.storage.s3;

import io.streamforge.testkit.s3.S3TestServer;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** The server of the testkit, with what it takes to reach it. */
final class S3Stub extends S3TestServer {
  static final AwsCredentialsProvider CREDENTIALS = credentials(ACCESS_KEY);

  /** Small parts and short waits. */
  static final S3Limits LIMITS =
      new S3Limits(
          64 << 10,
          Duration.ofSeconds(5),
          Duration.ofSeconds(20),
          Duration.ofSeconds(60),
          4,
          Duration.ofMillis(1),
          Duration.ofMillis(1),
          Duration.ofMillis(10));

  static AwsCredentialsProvider credentials(String key) {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(key, "secret"));
  }

  S3Settings settings() {
    return new S3Settings(endpoint(), "eu-west-1", true);
  }

  /** A storage at a prefix of the bucket. */
  S3Storage open(String prefix) {
    return S3Storage.open(new S3Location(BUCKET, prefix), settings(), CREDENTIALS, LIMITS);
  }
}
