package io.streamforge.graph;

/**
 * Treats every kind of node.
 *
 * @param <R> what it makes of a node
 */
public interface NodeVisitor<R> {
  R source(Node.SourceNode node);

  R map(Node.MapNode node);

  R mapValues(Node.MapValuesNode node);

  R selectKey(Node.SelectKeyNode node);

  R filter(Node.FilterNode node);

  R peek(Node.PeekNode node);

  R flatMap(Node.FlatMapNode node);

  R merge(Node.MergeNode node);

  R branch(Node.BranchNode node);

  R groupBy(Node.GroupByNode node);

  R rebalance(Node.RebalanceNode node);

  R process(Node.ProcessNode node);

  R aggregate(Node.AggregateNode node);

  R window(Node.WindowNode node);

  R table(Node.TableNode node);

  R join(Node.JoinNode node);

  R sink(Node.SinkNode node);
}
