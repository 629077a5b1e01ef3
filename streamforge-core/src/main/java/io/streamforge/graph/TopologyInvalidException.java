package io.streamforge.graph;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.List;

/** A topology has problems; all that were found are in here, in the order of its nodes. */
public final class TopologyInvalidException extends StreamForgeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** With at least one problem. */
  public TopologyInvalidException(String topology, List<Problem> problems) {
    super(
        ErrorCode.TOPOLOGY_INVALID,
        ErrorContext.NONE,
        summary(topology, problems),
        "mend each of them as its → line says.",
        null);
    this.problems = List.copyOf(problems);
  }

  private static String summary(String topology, List<Problem> problems) {
    StringBuilder text = new StringBuilder();
    text.append("topology '").append(topology).append("' has ");
    text.append(problems.size() == 1 ? "a problem" : problems.size() + " problems").append(':');
    for (int i = 0; i < problems.size(); i++) {
      text.append("\n  ").append(i + 1).append(". ").append(problems.get(i).render());
    }
    return text.toString();
  }

  /** All problems. */
  public List<Problem> problems() {
    return problems == null ? List.of() : problems;
  }

  /** The same: every problem already names its node. */
  @Override
  public StreamForgeException within(ErrorContext outer) {
    return this;
  }
}
