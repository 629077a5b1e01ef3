package io.streamforge.storage.s3;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/** Says in the words of who operates a job what the SDK or the server has said. */
final class S3Errors {
  private static final Set<String> OTHER_REGION =
      Set.of(
          "PermanentRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException",
          "TemporaryRedirect");
  private static final Set<String> OLD_TOKEN =
      Set.of("ExpiredToken", "InvalidToken", "TokenRefreshRequired");

  private final S3Location location;
  private final String server;

  /**
   * Of a place.
   *
   * @param server as messages name it
   */
  S3Errors(S3Location location, String server) {
    this.location = location;
    this.server = server;
  }

  private record Reason(String reason, String remedy) {}

  /**
   * The failure of a request.
   *
   * @param name the object; null when it is about all of them
   */
  IOException failure(S3Operation operation, @Nullable String name, SdkException e) {
    String what = what(operation, name);
    if (e instanceof AbortedException) {
      InterruptedIOException interrupted =
          new InterruptedIOException(what + ": the thread was interrupted");
      interrupted.initCause(e);
      return interrupted;
    }
    Reason reason =
        e instanceof AwsServiceException service
            ? reply(operation, service)
            : noReply(operation, e);
    return new S3Failure(what + ": " + reason.reason, reason.remedy, e);
  }

  /** No object can be made safely on this server. */
  S3Failure noConditionalWrites(@Nullable SdkException e) {
    return new S3Failure(
        "checkpoints cannot be kept in "
            + location
            + ": "
            + server
            + " has no conditional writes (it "
            + (e instanceof AwsServiceException service
                ? "replied " + code(service) + " to"
                : "ignores")
            + " the header If-None-Match), so two processes that run the job could not be kept"
            + " apart",
        "use a server that has them, such as AWS or a newer version of this one, or a directory",
        e);
  }

  /** A problem with one object, which is told without an exception. */
  S3Failure failure(S3Operation operation, String name, String reason, String remedy) {
    return new S3Failure(what(operation, name) + ": " + reason, remedy, null);
  }

  /**
   * Some objects of a request that is about many could not be deleted.
   *
   * @param problems of the first ones
   */
  S3Failure notDeleted(int count, int all, List<String> problems, boolean denied) {
    return new S3Failure(
        count
            + " of "
            + all
            + " objects in "
            + location
            + " cannot be deleted: "
            + String.join(", ", problems)
            + (problems.size() < count ? ", …" : ""),
        denied
            ? grant(S3Operation.DELETE)
            : "see what the server says; the next clean-up tries again",
        null);
  }

  /** No credentials were found at all. */
  S3Failure noCredentials(SdkException e) {
    return new S3Failure(
        "checkpoints in " + location + " cannot be reached: no credentials were found",
        "provide them in one of the ways of the AWS SDK: AWS_ACCESS_KEY_ID and"
            + " AWS_SECRET_ACCESS_KEY, a profile, or a role of the machine or the pod",
        e);
  }

  private String what(S3Operation operation, @Nullable String name) {
    return (name == null ? "the objects in " : "the object '" + name + "' in ")
        + location
        + " cannot be "
        + operation.done;
  }

  private String grant(S3Operation operation) {
    String bucket = "arn:aws:s3:::" + location.bucket();
    String objects = bucket + "/" + location.key("*");
    String grant = "grant the credentials the permission " + operation.permission + " on ";
    return switch (operation) {
      case LIST -> grant + bucket;
      // Without it S3 says of a missing object that access is denied.
      case READ -> grant + objects + ", and s3:ListBucket without conditions on " + bucket;
      case CREATE, WRITE, ABANDON, DELETE -> grant + objects;
    };
  }

  private static String errorCode(AwsServiceException e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    return code == null ? "" : code;
  }

  /** Such as {@code 403 AccessDenied}. */
  private static String code(AwsServiceException e) {
    return (e.statusCode() + " " + errorCode(e)).strip();
  }

  private Reason reply(S3Operation operation, AwsServiceException e) {
    String code = errorCode(e);
    if (code.equals("NoSuchBucket")) {
      return new Reason(
          "there is no bucket " + location.bucket() + " on " + server,
          "make the bucket, or correct the location");
    }
    if (code.equals("InvalidAccessKeyId")) {
      return new Reason(
          server + " does not know the access key (" + code(e) + ")",
          "provide an access key of this server, in AWS_ACCESS_KEY_ID or in whatever the AWS SDK"
              + " takes it from");
    }
    if (code.equals("SignatureDoesNotMatch")) {
      return new Reason(
          "the secret key is not that of the access key (" + code(e) + ")",
          "provide both keys of the same pair, and let no proxy change the requests");
    }
    if (OLD_TOKEN.contains(code)) {
      return new Reason(
          "the session token is not valid, or not any more (" + code(e) + ")",
          "provide a new one, or a role, whose tokens the AWS SDK renews by itself");
    }
    if (code.equals("RequestTimeTooSkewed")) {
      return new Reason(
          "the clock of this machine differs from that of " + server + " (" + code(e) + ")",
          "set the clock");
    }
    if (e.statusCode() == 301 || OTHER_REGION.contains(code)) {
      String region =
          e.awsErrorDetails() == null || e.awsErrorDetails().sdkHttpResponse() == null
              ? null
              : e.awsErrorDetails()
                  .sdkHttpResponse()
                  .firstMatchingHeader("x-amz-bucket-region")
                  .orElse(null);
      return new Reason(
          "the bucket is in another region than " + server + " (" + code(e) + ")",
          "set "
              + S3Settings.REGION
              + " to "
              + (region == null ? "the region of the bucket" : region));
    }
    if (e.statusCode() == 403) {
      return new Reason("access is denied (" + code(e) + ")", grant(operation));
    }
    if (e.isThrottlingException() || e.statusCode() == 503) {
      return new Reason(
          server + " is asked too much (" + code(e) + ", " + attempts(e) + ")",
          "try again later; if it happens often, take checkpoints less often or give the job a"
              + " prefix of its own");
    }
    return new Reason(
        server + " replied " + code(e) + " (" + attempts(e) + "): " + message(e),
        "see what the server says, and its log");
  }

  private static String message(AwsServiceException e) {
    String message = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorMessage();
    return message == null ? "no message" : message;
  }

  private static String attempts(SdkException e) {
    Integer attempts = e.numAttempts();
    return attempts == null || attempts == 1 ? "once" : attempts + " times";
  }

  private Reason noReply(S3Operation operation, SdkException e) {
    Throwable root = e;
    for (int depth = 0; root.getCause() != null && depth < 20; depth++) {
      root = root.getCause();
    }
    if (e instanceof ApiCallTimeoutException
        || e instanceof ApiCallAttemptTimeoutException
        || root instanceof ApiCallAttemptTimeoutException
        || (root instanceof SocketTimeoutException && !connecting(root))) {
      return new Reason(
          server + " did not reply in time (" + attempts(e) + ")",
          "see that the server is well and the network fast enough; whether the request had its"
              + " effect is not known");
    }
    if (root instanceof UnknownHostException
        || root instanceof ConnectException
        || root instanceof NoRouteToHostException
        || root instanceof SocketTimeoutException) {
      return new Reason(
          server + " cannot be reached (" + root + ")",
          "check the endpoint (" + S3Settings.ENDPOINT + "), and that the network leads there");
    }
    if (root instanceof SSLException) {
      return new Reason(
          "no secure connection to " + server + " can be made (" + root.getMessage() + ")",
          "write http:// if the server has no TLS, or trust its certificate");
    }
    String message = String.valueOf(e.getMessage());
    if (message.startsWith("Unable to load credentials")) {
      return new Reason(
          "no credentials were found any more",
          "see that what the AWS SDK takes them from is still there");
    }
    return new Reason(
        "the request got no whole reply from " + server + " (" + attempts(e) + "): " + message,
        operation == S3Operation.LIST || operation == S3Operation.READ
            ? "check the network and the server"
            : "check the network and the server; whether it had its effect is not known");
  }

  private static boolean connecting(Throwable timeout) {
    return String.valueOf(timeout.getMessage()).toLowerCase(Locale.ROOT).contains("connect");
  }
}
