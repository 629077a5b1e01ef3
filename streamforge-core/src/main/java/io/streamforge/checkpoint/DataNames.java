package io.streamforge.checkpoint;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of objects with data: {@code data/<attempt>-<checkpoint>-<token>-<rest>}. They say who may
 * delete an object that nobody refers to. The token is that of the attempt, a random number: so a
 * name means the same content for ever, even where a place is emptied and the job begins anew.
 */
record DataNames(long attempt, long checkpoint) {
  static final String FOLDER = "data";

  private static final Pattern NAME = Pattern.compile(FOLDER + "/(\\d{1,18})-(\\d{1,18})-.+");

  static String name(long attempt, long checkpoint, long token, String rest) {
    return FOLDER
        + "/"
        + attempt
        + "-"
        + checkpoint
        + "-"
        + HexFormat.of().toHexDigits(token)
        + "-"
        + rest;
  }

  /** Null for what the engine has not written. */
  static @Nullable DataNames parse(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches()
        ? new DataNames(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
        : null;
  }
}
