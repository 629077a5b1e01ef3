package io.streamforge.operator.window;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;

/** Whether windows that were restored are those that the node has now. */
@Specialised
final class RestoredWindows {
  private RestoredWindows() {}

  /** Whether a window is one of the assigner's. */
  static boolean areOf(WindowAssigner assigner, Window restored) {
    Window each = assigner.first(restored.startMillis());
    while (each != null && each.startMillis() <= restored.startMillis()) {
      if (each.equals(restored)) {
        return true;
      }
      each = assigner.next(each);
    }
    return false;
  }

  static StreamForgeException ofOtherWindows(String node, Window restored) {
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.node(node),
        "the state of node '"
            + node
            + "' was stored with other windows: "
            + restored
            + " is none of those that the node has now",
        "Keep size, slide, offset and time zone of its windows; or give the node another name, whose"
            + " state begins empty.",
        null);
  }
}
