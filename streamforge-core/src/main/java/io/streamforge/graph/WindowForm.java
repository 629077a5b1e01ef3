package io.streamforge.graph;

import io.streamforge.window.Windows;

/**
 * How a window node keeps its accumulators, and why.
 *
 * @param kind the form
 * @param reason for people, as a clause
 */
public record WindowForm(Kind kind, String reason) {
  /** The forms. */
  public enum Kind {
    /** One accumulator for each key and slice, shared by all windows that contain the slice. */
    SLICES,
    /** One accumulator for each key and window. */
    PER_WINDOW,
    /** One accumulator for each key and session; sessions merge. */
    SESSIONS
  }

  /** The form of a window node. */
  public static WindowForm of(Node.WindowNode node) {
    Node.Windowing windowing = node.windowing();
    if (windowing.windows() instanceof Windows.SessionWindows) {
      return new WindowForm(Kind.SESSIONS, "sessions of a key grow and merge as records come");
    }
    if (!node.aggregation().aggregator().mergeable()) {
      return perWindow("the aggregate does not merge");
    }
    if (windowing.accumulation() == Node.Accumulation.DISCARDING) {
      return perWindow("discarding empties each window by itself");
    }
    if (windowing.earlyTrigger() != null) {
      return perWindow("an early trigger looks at each window by itself");
    }
    if (windowing.lateTrigger() != null) {
      return perWindow("a late trigger looks at each window by itself");
    }
    return new WindowForm(Kind.SLICES, "the aggregate merges and windows fire when they close");
  }

  /**
   * Whether records of the node may be combined before they are exchanged: the order in which parts
   * are merged makes no difference, and nothing is emitted before a window closes.
   */
  public static boolean combines(Node.WindowNode node) {
    return of(node).kind() == Kind.SLICES && node.aggregation().aggregator().columnar() != null;
  }

  private static WindowForm perWindow(String reason) {
    return new WindowForm(Kind.PER_WINDOW, reason);
  }
}
