package io.streamforge.state;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A keyed state of a node: a fixed number of longs a key. Node name and state name identify it for
 * ever.
 *
 * @param name unique within the node
 * @param columns longs a key, at least 1
 * @param form what they mean; state that was stored with another form is refused, unless one of the
 *     two is empty. Where it ends in {@code {a, b}} the longs have these names
 * @param derived whether it can be made again from other state and is no part of checkpoints
 * @param alternatives what may have been stored instead
 */
public record ColumnsDescriptor(
    String name, int columns, String form, boolean derived, List<Alternative> alternatives) {
  /**
   * Other longs that are restored as well.
   *
   * @param columns how many
   * @param form what they mean
   * @param conversion makes the longs of now of those that were stored, which it may change
   */
  public record Alternative(int columns, String form, UnaryOperator<long[]> conversion) {}

  /** Copies the list. */
  public ColumnsDescriptor {
    alternatives = List.copyOf(alternatives);
  }

  /** A state that checkpoints hold. */
  public static ColumnsDescriptor of(String name, int columns, String form) {
    return new ColumnsDescriptor(name, columns, form, false, List.of());
  }

  /** A state that can be made again from others. */
  public static ColumnsDescriptor derived(String name, int columns) {
    return new ColumnsDescriptor(name, columns, "", true, List.of());
  }

  /** The same, which also restores these. */
  public ColumnsDescriptor or(List<Alternative> others) {
    return new ColumnsDescriptor(name, columns, form, derived, others);
  }
}
