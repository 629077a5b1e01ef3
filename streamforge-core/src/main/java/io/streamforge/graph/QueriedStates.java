package io.streamforge.graph;

import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serdes;
import java.util.List;

/** What of each kind of node a running job can be asked for. */
final class QueriedStates implements NodeVisitor<List<QueriedState>> {
  private final LogicalGraph graph;

  QueriedStates(LogicalGraph graph) {
    this.graph = graph;
  }

  private Inferred results(Node node) {
    return graph.valueForm(Port.main(node.name()));
  }

  private Inferred rows(Node node) {
    return graph.rowForm(Port.main(node.name()));
  }

  @Override
  public List<QueriedState> source(Node.SourceNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> map(Node.MapNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> mapValues(Node.MapValuesNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> selectKey(Node.SelectKeyNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> filter(Node.FilterNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> peek(Node.PeekNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> flatMap(Node.FlatMapNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> merge(Node.MergeNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> branch(Node.BranchNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> groupBy(Node.GroupByNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> rebalance(Node.RebalanceNode node) {
    return List.of();
  }

  @Override
  public List<QueriedState> process(Node.ProcessNode node) {
    return graph.states(node).stream()
        .map(state -> new QueriedState(state.name(), state.form()))
        .toList();
  }

  @Override
  public List<QueriedState> aggregate(Node.AggregateNode node) {
    return List.of(new QueriedState(QueriedState.AGGREGATE, results(node)));
  }

  @Override
  public List<QueriedState> window(Node.WindowNode node) {
    Inferred results = results(node);
    Inferred all =
        results instanceof Inferred.Found found
            ? new Inferred.Found(Serdes.list(found.serde()))
            : results;
    return List.of(new QueriedState(QueriedState.WINDOWS, all));
  }

  @Override
  public List<QueriedState> table(Node.TableNode node) {
    if (node.operation() instanceof Node.TableOperation.Latest) {
      return List.of(new QueriedState(QueriedState.TABLE, rows(node)));
    }
    return node.operation() instanceof Node.TableOperation.Aggregate
        ? List.of(new QueriedState(QueriedState.AGGREGATE, rows(node)))
        : List.of();
  }

  @Override
  public List<QueriedState> join(Node.JoinNode node) {
    return node.matching() instanceof Node.Matching.Tables
        ? List.of(new QueriedState(QueriedState.TABLE, rows(node)))
        : List.of();
  }

  @Override
  public List<QueriedState> sink(Node.SinkNode node) {
    return List.of();
  }
}
