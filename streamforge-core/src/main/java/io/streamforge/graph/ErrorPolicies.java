package io.streamforge.graph;

import io.streamforge.error.ErrorPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a topology says of records that are rejected. Immutable.
 *
 * @param ofJob the policy of nodes that have none of their own and can reject a record
 * @param ofNodes the policies of nodes that have one of their own, by name
 */
public record ErrorPolicies(ErrorPolicy ofJob, Map<String, ErrorPolicy> ofNodes) {
  /** Every node fails the job. */
  public static final ErrorPolicies FAIL = new ErrorPolicies(ErrorPolicy.fail(), Map.of());

  /** A copy. */
  public ErrorPolicies {
    ofNodes = Collections.unmodifiableMap(new LinkedHashMap<>(ofNodes));
  }

  /** Whether a node has something that can reject a record: a function, a decoder or a writer. */
  static boolean canReject(Node node) {
    // Listed are the kinds whose operators guard what they call; a new kind has no policy until
    // its operator does.
    return node instanceof Node.SourceNode
        || node instanceof Node.MapNode
        || node instanceof Node.MapValuesNode
        || node instanceof Node.SelectKeyNode
        || node instanceof Node.FilterNode
        || node instanceof Node.PeekNode
        || node instanceof Node.FlatMapNode
        || node instanceof Node.BranchNode
        || node instanceof Node.GroupByNode
        || node instanceof Node.ProcessNode
        || node instanceof Node.AggregateNode
        || node instanceof Node.WindowNode
        || node instanceof Node.SinkNode;
  }

  /** The policy that counts for a node of a graph with these policies. */
  ErrorPolicy of(Node node) {
    if (isDeadLetterSink(node) || !canReject(node)) {
      return ErrorPolicy.fail();
    }
    ErrorPolicy own = ofNodes.get(node.name());
    return own == null ? ofJob : own;
  }

  /** Whether a node is where the dead letters of another go. */
  static boolean isDeadLetterSink(Node node) {
    return node instanceof Node.SinkNode sink
        && sink.input().output().equals(LogicalGraph.DEAD_LETTERS)
        && sink.name().equals(sink.input().toString());
  }
}
