package io.streamforge.storage.s3;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.LegacyMd5Plugin;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Makes clients of the SDK. */
final class S3Clients {
  private S3Clients() {}

  /** A client that tries again what may succeed then. */
  static S3Client create(
      S3Settings settings, Region region, AwsCredentialsProvider credentials, S3Limits limits) {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(region)
            .credentialsProvider(credentials)
            .forcePathStyle(settings.pathStyle())
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(limits.connectTimeout())
                    .socketTimeout(limits.attemptTimeout()))
            .overrideConfiguration(
                override ->
                    override
                        .apiCallAttemptTimeout(limits.attemptTimeout())
                        .apiCallTimeout(limits.callTimeout())
                        .retryStrategy(retries(limits)))
            // Bodies as they are, with checksums in headers: what other servers understand, too.
            .serviceConfiguration(
                S3Configuration.builder()
                    .chunkedEncodingEnabled(false)
                    .expectContinueEnabled(false)
                    .build())
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .addPlugin(LegacyMd5Plugin.create());
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.endpoint());
    }
    return builder.build();
  }

  private static StandardRetryStrategy retries(S3Limits limits) {
    return AwsRetryStrategy.standardRetryStrategy().toBuilder()
        .maxAttempts(limits.attempts())
        .backoffStrategy(BackoffStrategy.exponentialDelay(limits.firstDelay(), limits.maxDelay()))
        .throttlingBackoffStrategy(
            BackoffStrategy.exponentialDelay(limits.throttledDelay(), limits.maxDelay()))
        .retryOnException(S3Clients::isConflict)
        // The reply broke off.
        .retryOnExceptionOrCauseInstanceOf(XMLStreamException.class)
        .build();
  }

  /** Another creation of the same object was under way: who has won is known soon. */
  private static boolean isConflict(Throwable e) {
    return e instanceof S3Exception s3 && s3.statusCode() == 409;
  }

  /**
   * The region of the settings, or what the SDK finds.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when none is known
   */
  static Region region(S3Location location, S3Settings settings) {
    if (settings.region() != null) {
      return Region.of(settings.region());
    }
    // A server that is not of AWS seldom runs on a machine that knows a region.
    AwsRegionProvider chain =
        settings.endpoint() == null
            ? DefaultAwsRegionProviderChain.builder().build()
            : new AwsRegionProviderChain(
                new SystemSettingsRegionProvider(), new AwsProfileRegionProvider());
    try {
      return chain.getRegion();
    } catch (SdkClientException e) {
      if (settings.endpoint() != null) {
        return Region.US_EAST_1;
      }
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          ErrorContext.NONE,
          "the region of " + location + " is not known",
          "Set " + S3Settings.REGION + " to the region of the bucket, such as eu-west-1.",
          e);
    }
  }

  /** As messages name it. */
  static String describe(S3Settings settings, Region region) {
    return settings.endpoint() == null
        ? "S3 of the region " + region.id()
        : "the server " + settings.endpoint();
  }
}
