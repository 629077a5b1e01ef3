package io.streamforge.state;

/**
 * A keyed state of a node: a fixed number of longs a key. Node name and state name identify it for
 * ever.
 *
 * @param name unique within the node
 * @param columns longs a key, at least 1
 * @param form what they mean; state that was stored with another form is refused, unless one of the
 *     two is empty
 * @param derived whether it can be made again from other state and is no part of checkpoints
 */
public record ColumnsDescriptor(String name, int columns, String form, boolean derived) {
  /** A state that checkpoints hold. */
  public static ColumnsDescriptor of(String name, int columns, String form) {
    return new ColumnsDescriptor(name, columns, form, false);
  }

  /** A state that can be made again from others. */
  public static ColumnsDescriptor derived(String name, int columns) {
    return new ColumnsDescriptor(name, columns, "", true);
  }
}
