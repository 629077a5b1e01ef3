package io.streamforge.error;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an error happened; every part may be unknown ({@code null}).
 *
 * @param job name of the job
 * @param node name of the node, or of the stage where the node cannot be told
 * @param task which parallel task, as {@code stage[index]}
 * @param position where the stage's input record stands: split and offset of a source, or the
 *     exchange it came through
 * @param record the stage's input record, rendered and shortened
 */
public record ErrorContext(
    @Nullable String job,
    @Nullable String node,
    @Nullable String task,
    @Nullable String position,
    @Nullable String record) {

  /** Nothing is known. */
  public static final ErrorContext NONE = new ErrorContext(null, null, null, null, null);

  /** A context that knows only the node. */
  public static ErrorContext node(String node) {
    return new ErrorContext(null, node, null, null, null);
  }

  /** A context that knows only the position. */
  public static ErrorContext position(String position) {
    return new ErrorContext(null, null, null, position, null);
  }

  /** This context, with what it does not know taken from {@code outer}. */
  public ErrorContext within(ErrorContext outer) {
    return new ErrorContext(
        job != null ? job : outer.job,
        node != null ? node : outer.node,
        task != null ? task : outer.task,
        position != null ? position : outer.position,
        record != null ? record : outer.record);
  }

  /**
   * One line such as {@code job 'wordcount', node 'split', task 0[1]}; empty when nothing is known.
   */
  public String render() {
    List<String> parts = new ArrayList<>();
    add(parts, "job", job);
    add(parts, "node", node);
    if (task != null) {
      parts.add("task " + task);
    }
    if (position != null) {
      parts.add("at " + position);
    }
    if (record != null) {
      parts.add("record " + record);
    }
    return String.join(", ", parts);
  }

  private static void add(List<String> parts, String label, @Nullable String value) {
    if (value != null) {
      parts.add(label + " '" + value + "'");
    }
  }
}
