package io.streamforge.graph;

/**
 * An output of a node.
 *
 * @param node the node's name
 * @param output {@link #MAIN}, the name of a branch, or the name of a side output; one that begins
 *     with a slash, as no user's name does, is the engine's own
 */
public record Port(String node, String output) {
  /** The output that every node but branches and sinks has. */
  public static final String MAIN = "";

  /** The main output of a node. */
  public static Port main(String node) {
    return new Port(node, MAIN);
  }

  /** Whether the output is one that no user has named. */
  public boolean derived() {
    return output.startsWith("/");
  }

  /**
   * Stands for the rows of the table whose changes this output carries: what is said of their type
   * belongs here. No node has an output of its name.
   */
  public Port rows() {
    return new Port(node, "/rows");
  }

  @Override
  public String toString() {
    return output.equals(MAIN) || derived() ? node + output : node + "/" + output;
  }
}
