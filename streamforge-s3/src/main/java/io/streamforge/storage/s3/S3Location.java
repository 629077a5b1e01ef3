package io.streamforge.storage.s3;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a bucket.
 *
 * @param bucket its name
 * @param prefix what the keys of all objects begin with, without the slash behind it; empty: the
 *     whole bucket
 */
record S3Location(String bucket, String prefix) {
  static final String SCHEME = "s3";

  /** A key has at most 1,024 bytes, a name of an object at most 200. */
  private static final int MAX_PREFIX = 800;

  /** In the prefix only characters that are the same in a key, in a URL and in a policy. */
  private static final Pattern LOCATION =
      Pattern.compile(
          "(?i:s3)://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*)/?");

  /**
   * The location that a user has written.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when it is none
   */
  static S3Location parse(String location) {
    Matcher matcher = LOCATION.matcher(location);
    if (!matcher.matches() || matcher.group(2).length() > MAX_PREFIX) {
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          ErrorContext.NONE,
          "'" + location + "' is not a place in S3",
          "Write s3://bucket/prefix, the prefix of letters, digits, '.', '_', '-', '=' and '/', at"
              + " most "
              + MAX_PREFIX
              + " characters, and no part of it beginning with a dot.",
          null);
    }
    String path = matcher.group(2);
    return new S3Location(matcher.group(1), path.isEmpty() ? "" : path.substring(1));
  }

  /** The key of an object. */
  String key(String name) {
    return prefix.isEmpty() ? name : prefix + "/" + name;
  }

  /** The object that has the key. */
  String name(String key) {
    return prefix.isEmpty() ? key : key.substring(prefix.length() + 1);
  }

  /** As a user would write it. */
  @Override
  public String toString() {
    return SCHEME + "://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix);
  }
}
