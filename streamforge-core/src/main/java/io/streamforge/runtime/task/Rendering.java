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
    } catch (RuntimeException | StackOverflowError e) {
      // Not with the message of e: what fails here may fail there, too.
      text = object.getClass().getName() + " whose toString fails with " + e.getClass().getName();
    }
    return text.length() <= LIMIT
        ? text
        : text.substring(0, LIMIT) + "… (" + text.length() + " characters)";
  }

  /** The throwable in one line. */
  public static String cause(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    String message;
    try {
      message = failure.getMessage();
    } catch (RuntimeException e) {
      return name;
    }
    return message == null ? name : name + ": " + message;
  }
}
