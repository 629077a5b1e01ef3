package io.streamforge.plan;

import io.streamforge.graph.Port;
import java.util.List;

/**
 * Records that go from the tasks of one stage to those of another.
 *
 * @param id its place in the plan, from 0 on
 * @param from the output that is sent
 * @param fromStage stage of that output
 * @param targets who receives each record, all in one stage
 * @param toStage stage of the targets
 * @param kind which task gets what
 * @param combining whether the sending tasks combine records of a key, as the only target does
 * @param reason why there is an exchange, for people
 */
public record Exchange(
    int id,
    Port from,
    int fromStage,
    List<Target> targets,
    int toStage,
    Kind kind,
    boolean combining,
    String reason) {
  public Exchange {
    targets = List.copyOf(targets);
  }

  /**
   * A receiving node.
   *
   * @param node its name
   * @param input which of its inputs, counted from 0
   */
  public record Target(String node, int input) {}

  /** Which task gets what. */
  public enum Kind {
    /** Each record goes to the task that owns the key group of its key. */
    HASH,
    /** Records are spread in turns. */
    REBALANCE,
    /** Task i sends to task i. */
    FORWARD
  }
}
