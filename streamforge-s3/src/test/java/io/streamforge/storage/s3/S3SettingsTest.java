package io.streamforge.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorages;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class S3SettingsTest {
  private static void assertInvalid(String summary, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
              assertThat(e.summary()).isEqualTo(summary);
            });
  }

  @Test
  void settingsComeFromTheEnvironment() {
    assertThat(S3Settings.fromEnvironment(Map.of())).isEqualTo(S3Settings.AWS);
    assertThat(S3Settings.fromEnvironment(Map.of("STREAMFORGE_S3_REGION", " eu-west-1 ")))
        .isEqualTo(new S3Settings(null, "eu-west-1", false));
    assertThat(
            S3Settings.fromEnvironment(
                Map.of(
                    "STREAMFORGE_S3_ENDPOINT", "http://minio:9000", "STREAMFORGE_S3_REGION", "")))
        .isEqualTo(new S3Settings(URI.create("http://minio:9000"), null, true));
    assertThat(
            S3Settings.fromEnvironment(
                Map.of(
                    "STREAMFORGE_S3_ENDPOINT",
                    "https://s3.example.com",
                    "STREAMFORGE_S3_PATH_STYLE",
                    "false")))
        .isEqualTo(new S3Settings(URI.create("https://s3.example.com"), null, false));
  }

  @Test
  void settingsThatAreNotOfTheirFormAreNamed() {
    assertInvalid(
        "'minio:9000' is not an endpoint of S3",
        () -> S3Settings.fromEnvironment(Map.of(S3Settings.ENDPOINT, "minio:9000")));
    assertInvalid(
        "the value of STREAMFORGE_S3_ENDPOINT is not a URI",
        () -> S3Settings.fromEnvironment(Map.of(S3Settings.ENDPOINT, "http://mi nio")));
    assertInvalid(
        "the endpoint of S3 holds credentials or a query",
        () -> S3Settings.fromEnvironment(Map.of(S3Settings.ENDPOINT, "http://me:pass@minio")));
    assertInvalid(
        "'Ireland!' is not a region of S3",
        () -> S3Settings.fromEnvironment(Map.of(S3Settings.REGION, "Ireland!")));
    assertInvalid(
        "'yes' is not a value of STREAMFORGE_S3_PATH_STYLE",
        () -> S3Settings.fromEnvironment(Map.of(S3Settings.PATH_STYLE, "yes")));
  }

  @Test
  void aLocationIsABucketAndAPrefix() {
    assertThat(S3Location.parse("s3://my-bucket")).isEqualTo(new S3Location("my-bucket", ""));
    assertThat(S3Location.parse("S3://my.bucket/")).isEqualTo(new S3Location("my.bucket", ""));
    assertThat(S3Location.parse("s3://bucket/jobs/date=1/orders_2/"))
        .isEqualTo(new S3Location("bucket", "jobs/date=1/orders_2"))
        .hasToString("s3://bucket/jobs/date=1/orders_2");
    for (String location :
        List.of(
            "s3:bucket/job",
            "s3://",
            "s3://Bucket/job",
            "s3://bucket//job",
            "s3://bucket/../job",
            "s3://bucket/a b",
            "s3://key:secret@bucket/job",
            "s3://bucket/" + "a".repeat(801))) {
      assertInvalid("'" + location + "' is not a place in S3", () -> S3Location.parse(location));
    }
  }

  @Test
  void theModuleOnTheClassPathIsEnough() {
    CheckpointStorages storages = CheckpointStorages.load(S3SettingsTest.class.getClassLoader());

    assertInvalid("'s3://Bucket/job' is not a place in S3", () -> storages.open("s3://Bucket/job"));
  }
}
