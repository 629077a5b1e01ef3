package io.streamforge.runtime.task;

/**
 * Who sends to an input.
 *
 * @param node the output that is sent, as a port is written
 * @param task id of the task that sends it, as {@code 1[0]}
 */
public record Sender(String node, String task) {
  /** For messages, as {@code 'orders' in task 1[0]}. */
  @Override
  public String toString() {
    return "'" + node + "' in task " + task;
  }
}
