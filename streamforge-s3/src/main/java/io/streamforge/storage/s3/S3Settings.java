package io.streamforge.storage.s3;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which server a bucket is on, and how it is addressed. Credentials are not among the settings:
 * they come from the default chain of the AWS SDK.
 *
 * @param endpoint {@code http://host:port} or {@code https://host:port} of a server; null: AWS
 * @param region the region of the bucket; null: what the SDK finds, and {@code us-east-1} where it
 *     finds nothing and an endpoint is given
 * @param pathStyle whether the bucket is the first part of the path ({@code host/bucket/key}) and
 *     not of the host ({@code bucket.host/key})
 */
public record S3Settings(@Nullable URI endpoint, @Nullable String region, boolean pathStyle) {
  /** Environment variable of the endpoint. */
  public static final String ENDPOINT = "STREAMFORGE_S3_ENDPOINT";

  /** Environment variable of the region. */
  public static final String REGION = "STREAMFORGE_S3_REGION";

  /**
   * Environment variable of the addressing, {@code true} or {@code false}; without it the path is
   * used where an endpoint is given.
   */
  public static final String PATH_STYLE = "STREAMFORGE_S3_PATH_STYLE";

  /** AWS, in the region that the SDK finds. */
  public static final S3Settings AWS = new S3Settings(null, null, false);

  private static final Pattern REGION_NAME = Pattern.compile("[a-z0-9-]{1,50}");

  /**
   * Checked settings.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when one is not of its form
   */
  public S3Settings {
    if (endpoint != null) {
      // The value is not repeated: it may hold a password.
      if (endpoint.getRawUserInfo() != null || endpoint.getRawQuery() != null) {
        throw invalid(
            "the endpoint of S3 holds credentials or a query",
            "Write only http://host:port or https://host:port; credentials come from the default"
                + " chain of the AWS SDK.");
      }
      boolean http = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
      if (!http || endpoint.getHost() == null) {
        throw invalid(
            "'" + endpoint + "' is not an endpoint of S3",
            "Write http://host:port or https://host:port.");
      }
    }
    if (region != null && !REGION_NAME.matcher(region).matches()) {
      throw invalid("'" + region + "' is not a region of S3", "Write a region such as eu-west-1.");
    }
  }

  /**
   * The settings that environment variables make; those that are missing or empty are defaults.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when one is not of its form
   */
  public static S3Settings fromEnvironment(Map<String, String> environment) {
    String endpoint = value(environment, ENDPOINT);
    String pathStyle = value(environment, PATH_STYLE);
    return new S3Settings(
        endpoint == null ? null : uri(endpoint),
        value(environment, REGION),
        pathStyle == null ? endpoint != null : bool(pathStyle));
  }

  private static @Nullable String value(Map<String, String> environment, String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value.strip();
  }

  private static URI uri(String value) {
    try {
      return URI.create(value);
    } catch (IllegalArgumentException e) {
      throw invalid(
          "the value of " + ENDPOINT + " is not a URI",
          "Write http://host:port or https://host:port.");
    }
  }

  private static boolean bool(String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw invalid("'" + value + "' is not a value of " + PATH_STYLE, "Write true or false.");
    };
  }

  private static StreamForgeException invalid(String summary, String remedy) {
    return new StreamForgeException(
        ErrorCode.CONFIG_INVALID, ErrorContext.NONE, summary, remedy, null);
  }
}
