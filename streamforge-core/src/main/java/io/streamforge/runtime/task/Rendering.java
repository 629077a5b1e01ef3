package io.streamforge.runtime.task;

/** Turns records and causes into short text for messages. */
public final class Rendering {
  private static final int LIMIT = 200;

  private Rendering() {}

  /** The object's text, shortened; never throws. */
  public static String shortened(Object object) {
    String text;
    try {
      text = String.valueOf(object);
    } catch (RuntimeException e) {
      text = object.getClass().getName() + " whose toString fails with " + e;
    }
    return text.length() <= LIMIT
        ? text
        : text.substring(0, LIMIT) + "… (" + text.length() + " characters)";
  }

  /** The throwable in one line. */
  public static String cause(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null ? name : name + ": " + message;
  }
}
