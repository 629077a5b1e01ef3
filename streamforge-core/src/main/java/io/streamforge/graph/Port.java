package io.streamforge.graph;

/**
 * An output of a node.
 *
 * @param node the node's name
 * @param output {@link #MAIN}, the name of a branch, or the name of a side output
 */
public record Port(String node, String output) {
  /** The output that every node but branches and sinks has. */
  public static final String MAIN = "";

  /** The main output of a node. */
  public static Port main(String node) {
    return new Port(node, MAIN);
  }

  @Override
  public String toString() {
    return output.equals(MAIN) ? node : node + "/" + output;
  }
}
