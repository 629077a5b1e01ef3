package io.streamforge.function;

/**
 * Names a second output of a node: late records of a window, or whatever a processor emits there.
 * Two side outputs are the same when their names are.
 *
 * @param name unique among the outputs of the node
 * @param <K> keys
 * @param <V> values
 */
public record SideOutput<K, V>(String name) {
  /** The side output with this name. */
  public static <K, V> SideOutput<K, V> of(String name) {
    return new SideOutput<>(name);
  }
}
