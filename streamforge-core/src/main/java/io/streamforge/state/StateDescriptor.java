package io.streamforge.state;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import org.jspecify.annotations.Nullable;

/**
 * A keyed state of a node: an object a key. Node name and state name identify it for ever.
 *
 * @param <V> values
 * @param name unique within the node
 * @param form how values are written to checkpoints, or why they cannot be; null: the state can be
 *     made again from others and is no part of checkpoints
 * @param alternative reads what was stored and {@code form} cannot read; null: nothing does
 */
public record StateDescriptor<V>(
    String name, @Nullable Inferred form, @Nullable Serde<V> alternative) {
  /** A state that checkpoints hold. */
  public static <V> StateDescriptor<V> of(String name, Serde<V> serde) {
    return new StateDescriptor<>(name, new Inferred.Found(serde), null);
  }

  /** A state that checkpoints hold, provided that there is a serde. */
  public static <V> StateDescriptor<V> of(String name, Inferred form) {
    return new StateDescriptor<>(name, form, null);
  }

  /** A state that can be made again from others. */
  public static <V> StateDescriptor<V> derived(String name) {
    return new StateDescriptor<>(name, null, null);
  }

  /** The same, which also restores what this serde reads. */
  public StateDescriptor<V> or(Serde<V> other) {
    return new StateDescriptor<>(name, form, other);
  }
}
