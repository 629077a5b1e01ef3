package io.streamforge.graph;

import io.streamforge.serde.Inferred;

/**
 * A state of a node as queries of a running job see it.
 *
 * @param name unique within the node
 * @param form how an answer is written: a value, a long, a list, a map, or the result of an
 *     aggregate; or why it cannot be
 */
public record QueriedState(String name, Inferred form) {
  /** Of a running aggregate: its result. */
  public static final String AGGREGATE = "aggregate";

  /** Of a table: its row. */
  public static final String TABLE = "table";

  /** Of a windowed aggregate: a list of the results of all windows that are open or kept. */
  public static final String WINDOWS = "windows";
}
