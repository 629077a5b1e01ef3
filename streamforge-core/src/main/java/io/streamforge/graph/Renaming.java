package io.streamforge.graph;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What nodes and states were called before; a checkpoint may have them under any of these names.
 * Immutable.
 *
 * @param nodes for a node the names that it had, in the order in which they were declared
 * @param states for a node and a state of it the names that the state had
 */
public record Renaming(
    Map<String, List<String>> nodes, Map<String, Map<String, List<String>>> states) {
  /** Nothing was called otherwise. */
  public static final Renaming NONE = new Renaming(Map.of(), Map.of());

  /** Copies. */
  public Renaming {
    nodes = copy(nodes, List::copyOf);
    states = copy(states, ofNode -> copy(ofNode, List::copyOf));
  }

  /** In the same order. */
  private static <V> Map<String, V> copy(Map<String, V> map, Function<V, V> value) {
    Map<String, V> copy = new LinkedHashMap<>();
    map.forEach((name, v) -> copy.put(name, value.apply(v)));
    return Collections.unmodifiableMap(copy);
  }

  /** The names that a node had; empty when it was always called so. */
  public List<String> ofNode(String node) {
    return nodes.getOrDefault(node, List.of());
  }

  /**
   * As {@link #ofNode}, also of a node with a derived name, which goes with that it stands behind.
   */
  public List<String> ofPart(String node) {
    int end = node.indexOf('/');
    return end < 0
        ? ofNode(node)
        : ofNode(node.substring(0, end)).stream().map(old -> old + node.substring(end)).toList();
  }

  /** For each state of a node that was renamed the names that it had. */
  public Map<String, List<String>> ofStates(String node) {
    return states.getOrDefault(node, Map.of());
  }
}
