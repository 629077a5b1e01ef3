package io.streamforge.storage;

import java.util.regex.Pattern;

/**
 * What an object may be called: {@code name} or {@code folder/name}, the name of letters, digits,
 * dots, hyphens and underscores and not beginning with a dot. So a name is the same in a directory
 * and in a bucket, and cannot lead out of either.
 */
public final class ObjectNames {
  private static final int MAX_LENGTH = 200;
  private static final Pattern NAME = Pattern.compile("([a-z]+/)?[A-Za-z0-9_-][A-Za-z0-9._-]*");

  private ObjectNames() {}

  /**
   * The name.
   *
   * @throws IllegalArgumentException when no object may be called so
   */
  public static String checked(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException("not a name of an object: '" + name + "'");
    }
    return name;
  }

  /** Whether an object may be called so. */
  public static boolean isValid(String name) {
    return name.length() <= MAX_LENGTH && NAME.matcher(name).matches();
  }
}
