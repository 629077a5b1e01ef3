package io.streamforge.graph;

/**
 * Something that keeps a topology from running.
 *
 * @param node name of the node that has it; empty when it concerns the topology as a whole
 * @param message what is wrong, as a clause that follows the node's name
 * @param remedy what to do about it, as an imperative
 */
public record Problem(String node, String message, String remedy) {
  /** A problem of the topology as a whole. */
  public static Problem ofTopology(String message, String remedy) {
    return new Problem("", message, remedy);
  }

  /** Two lines: node and message, then the remedy. */
  public String render() {
    return (node.isEmpty() ? "topology" : "'" + node + "'") + " " + message + "\n      → " + remedy;
  }
}
