package io.streamforge.graph;

/** What each kind of node is called, as in the builder. */
public final class NodeKinds implements NodeVisitor<String> {
  private static final NodeKinds KINDS = new NodeKinds();

  private NodeKinds() {}

  /** The name of the method that adds such a node, such as {@code mapValues}. */
  public static String of(Node node) {
    return node.accept(KINDS);
  }

  @Override
  public String source(Node.SourceNode node) {
    return "source";
  }

  @Override
  public String map(Node.MapNode node) {
    return "map";
  }

  @Override
  public String mapValues(Node.MapValuesNode node) {
    return "mapValues";
  }

  @Override
  public String selectKey(Node.SelectKeyNode node) {
    return "selectKey";
  }

  @Override
  public String filter(Node.FilterNode node) {
    return node.negated() ? "filterNot" : "filter";
  }

  @Override
  public String peek(Node.PeekNode node) {
    return "peek";
  }

  @Override
  public String flatMap(Node.FlatMapNode node) {
    Node.FlatMapper mapper = node.mapper();
    String kind = mapper.keepsKey() ? "flatMapValues" : "flatMap";
    if (mapper instanceof Node.FlatMapper.ToStream
        || mapper instanceof Node.FlatMapper.ValuesToStream) {
      return kind + "Stream";
    }
    return mapper instanceof Node.FlatMapper.Push || mapper instanceof Node.FlatMapper.ValuesPush
        ? kind + "To"
        : kind;
  }

  @Override
  public String merge(Node.MergeNode node) {
    return "merge";
  }

  @Override
  public String branch(Node.BranchNode node) {
    return "split";
  }

  @Override
  public String groupBy(Node.GroupByNode node) {
    return node.selector() == null ? "groupByKey" : "groupBy";
  }

  @Override
  public String rebalance(Node.RebalanceNode node) {
    return "rebalance";
  }

  @Override
  public String process(Node.ProcessNode node) {
    return "process";
  }

  @Override
  public String aggregate(Node.AggregateNode node) {
    return node.aggregation().label();
  }

  @Override
  public String window(Node.WindowNode node) {
    return node.aggregation().label();
  }

  @Override
  public String table(Node.TableNode node) {
    Node.TableOperation operation = node.operation();
    if (operation instanceof Node.TableOperation.Latest) {
      return "toTable";
    } else if (operation instanceof Node.TableOperation.Filter filter) {
      return filter.negated() ? "filterNot" : "filter";
    } else if (operation instanceof Node.TableOperation.MapValues) {
      return "mapValues";
    } else if (operation instanceof Node.TableOperation.ToStream) {
      return "toStream";
    } else if (operation instanceof Node.TableOperation.Aggregate aggregate) {
      return aggregate.aggregation().label();
    }
    return "groupBy";
  }

  @Override
  public String join(Node.JoinNode node) {
    return switch (node.kind()) {
      case INNER -> "join";
      case LEFT -> "leftJoin";
      case OUTER -> "outerJoin";
    };
  }

  @Override
  public String sink(Node.SinkNode node) {
    return "sink";
  }
}
