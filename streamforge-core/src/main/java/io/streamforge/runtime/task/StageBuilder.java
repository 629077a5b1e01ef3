package io.streamforge.runtime.task;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.TaskStates;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Operators;
import io.streamforge.operator.Output;
import io.streamforge.operator.Rejections;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.Timers;
import io.streamforge.plan.Exchange;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.state.KeyedStates;
import io.streamforge.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds one task of a stage: its operators from the last to the first, so that each finds what
 * follows it, then the input in front of them.
 */
public final class StageBuilder {
  /** What a task needs from the job around it. */
  public interface Surroundings {
    /** The sending end of an exchange for this task; made once for each. */
    TaskOutput exchange(Exchange exchange, KeyContext keyContext, NodeCounters counters, Gate gate);

    /** The writer of a sink that never waits, on the task's own thread. */
    SinkWriter<Object, Object> directWriter(Node.SinkNode node);

    /** The sending end towards the writer of a sink that may wait. */
    TaskOutput pump(Node.SinkNode node, KeyContext keyContext, Gate gate);

    /** Where records of an output are held that cannot go on at once. */
    Overflow overflow(Port port);

    /** Identity of the keys of an output. */
    KeyKind<Object> keyKind(Port port);

    /** What the task needs for checkpoints; null in a job without. */
    TaskCheckpoints.@Nullable Services checkpoints();

    /** The node's keyed state at the start, for this task; always the same object. */
    RestoredStates restored(String node);

    /** Event time that the node had handled for all keys of this task. */
    long restoredWatermark(String node);

    /** Event times that it had handled for them, where these are not the same; else null. */
    @Nullable GroupTimes restoredTimes(String node);

    /** The latest event time that a task of the node had handled. */
    long latestRestoredWatermark(String node);

    /** How long the job has been running. */
    JobTime jobTime();

    /** An output as tests want it observed, usually itself. */
    Output observed(String node, Output output);
  }

  private static final Logger LOG = LoggerFactory.getLogger(StageBuilder.class);

  private final PhysicalPlan plan;
  private final Stage stage;
  private final int index;
  private final EngineConfig config;
  private final JobControl control;
  private final Clock clock;
  private final KeyedStateBackend backend;
  private final NodeClasses classes;
  private final Surroundings surroundings;
  private final LogicalGraph graph;

  private final Gate gate = new Gate();
  private final KeyContext keyContext = new KeyContext();
  private final Map<String, OperatorSlot> slots = new HashMap<>();
  private final Map<String, NodeCounters> counters = new HashMap<>();
  private final Map<Exchange, Output> exchanges = new HashMap<>();

  /** Behind the operators of the stage: those that combine for nodes of other stages. */
  private final List<OperatorSlot> combiners = new ArrayList<>();

  private final List<TaskOutput> outputs = new ArrayList<>();

  /** Whose each output is; null: that of a source. */
  private final List<@Nullable OperatorSlot> senders = new ArrayList<>();

  /** Whether somebody asks where a record on its way through the operators was read. */
  private boolean tracksPositions;

  /** Null until the task is made. */
  private @Nullable TaskInput input;

  /** For task {@code index} of {@code stage}. */
  public StageBuilder(
      PhysicalPlan plan,
      Stage stage,
      int index,
      EngineConfig config,
      JobControl control,
      Clock clock,
      KeyedStateBackend backend,
      NodeClasses classes,
      Surroundings surroundings) {
    this.plan = plan;
    this.stage = stage;
    this.index = index;
    this.config = config;
    this.control = control;
    this.clock = clock;
    this.backend = backend;
    this.classes = classes;
    this.surroundings = surroundings;
    this.graph = plan.graph();
  }

  /** Index of the task within its stage. */
  public int index() {
    return index;
  }

  /** The gate of the task. */
  public Gate gate() {
    return gate;
  }

  /** The key in hand of the task. */
  public KeyContext keyContext() {
    return keyContext;
  }

  /** The counters of a node in this task. */
  public NodeCounters counters(String node) {
    return counters.computeIfAbsent(node, n -> new NodeCounters());
  }

  /** Builds the operators; then {@link #head} and {@link #finish} may be called. */
  public void operators() {
    List<String> nodes = stage.nodes();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      Node node = graph.node(nodes.get(i));
      if (!(node instanceof Node.SourceNode) && !isWrittenByPump(node)) {
        OperatorSlot slot =
            new OperatorSlot(node.name(), counters(node.name()), node instanceof Node.SinkNode);
        slot.watermark = surroundings.restoredWatermark(node.name());
        slot.before = surroundings.restoredTimes(node.name());
        slots.put(node.name(), slot);
        Operator operator = create(node, new Context(node, slot));
        if (slot.before != null) {
          int inputs = node.inputs().size();
          operator = new GroupTimesOperator(operator, inputs, slot.before, slot, keyContext);
        }
        Overflow[] held =
            node.inputs().stream().map(surroundings::overflow).toArray(Overflow[]::new);
        slot.operator = parts(node.name()).holding(operator, keyContext, gate, held);
      }
    }
  }

  /** Whether a node takes the dead letters of a sink that has a thread of its own. */
  private boolean isWrittenByPump(Node node) {
    return graph.rejecting(node) instanceof Node.SinkNode sink && sink.sink().blocking();
  }

  /**
   * What becomes of the records that a node rejects in this task; null: they fail the job. Called
   * once for each node, when those behind it have been made.
   */
  public @Nullable Rejections rejections(Node node) {
    ErrorPolicy policy = graph.policy(node);
    if (policy instanceof ErrorPolicy.Fail) {
      return null;
    }
    tracksPositions = true;
    Port letters = graph.deadLetters(node);
    return new NodeRejections(
        rejecting(graph, node, control.job(), id()),
        counters(node.name()),
        false,
        // A dead letter is counted as one, and not as output.
        letters == null ? null : output(letters, new NodeCounters()),
        clock,
        this::position);
  }

  /** What is known of the records that a node rejects. */
  public static NodeRejections.Rejecting rejecting(
      LogicalGraph graph, Node node, String job, String task) {
    Port port = node instanceof Node.SourceNode ? Port.main(node.name()) : node.inputs().get(0);
    return new NodeRejections.Rejecting(
        job,
        node.name(),
        task,
        node instanceof Node.SinkNode ? ErrorCode.SINK_FAILED : ErrorCode.FUNCTION_FAILED,
        graph.keyForm(port),
        graph.valueForm(port));
  }

  /** Where the record stands that is on its way through the operators; null: not known. */
  private @Nullable String position() {
    TaskInput from = input;
    if (from == null || (from.node() == null && from.recordInHand() == null)) {
      return null;
    }
    return from.position();
  }

  /** Closes the operators that {@link #operators} has made before it failed. */
  public void abandon() {
    for (OperatorSlot slot : slots.values()) {
      try {
        if (slot.operator != null) {
          slot.operator.close();
        }
      } catch (Exception e) {
        // The failure that stops the start is what counts.
        LOG.debug("'{}' could not be closed", slot.node, e);
      }
    }
  }

  private Operator create(Node node, Context context) {
    if (node instanceof Node.SinkNode sink && sink.sink().blocking()) {
      TaskOutput pump = surroundings.pump(sink, keyContext, gate);
      addOutput(pump, context.slot);
      context.main = pump;
      return Operators.of(classes, node.name()).pass(context);
    }
    return Operators.of(classes, node.name())
        .create(
            node,
            context,
            () -> surroundings.keyKind(Port.main(node.name())),
            () -> {
              SinkWriter<Object, Object> writer = surroundings.directWriter((Node.SinkNode) node);
              context.slot.writer = writer;
              return writer;
            });
  }

  private void addOutput(TaskOutput output, @Nullable OperatorSlot sender) {
    outputs.add(output);
    senders.add(sender);
  }

  /** What takes the records of an output within this task. */
  public Output output(Port port) {
    return output(port, counters(port.node()));
  }

  private Output output(Port port, NodeCounters nodeCounters) {
    List<Exchange> sent =
        plan.outputsOf(stage).stream().filter(e -> e.from().equals(port)).toList();
    List<Operator> fused = new ArrayList<>();
    OperatorSlot only = null;
    for (LogicalGraph.Edge edge : graph.consumers(port)) {
      Exchange.Target target = new Exchange.Target(edge.node().name(), edge.input());
      if (sent.stream().noneMatch(exchange -> exchange.targets().contains(target))) {
        only = slot(edge.node().name());
        fused.add(only.operator.input(edge.input()));
      }
    }
    TaskParts parts = parts(port.node());
    Output output;
    if (sent.size() + fused.size() != 1) {
      // The fan-out counts for the node.
      List<Output> consumers = new ArrayList<>(fused);
      sent.forEach(exchange -> consumers.add(exchangeOutput(exchange, new NodeCounters())));
      output = parts.fanOut(nodeCounters, keyContext, consumers);
    } else if (only == null) {
      output = exchangeOutput(sent.get(0), nodeCounters);
    } else if (graph.node(only.node).inputs().size() == 1) {
      nodeCounters.followedBy(only.counters);
      output = fused.get(0);
    } else {
      output = parts.counting(nodeCounters, fused.get(0));
    }
    return surroundings.observed(port.node(), output);
  }

  private Output exchangeOutput(Exchange exchange, NodeCounters nodeCounters) {
    Output known = exchanges.get(exchange);
    if (known != null) {
      return known;
    }
    // What a combiner sends is not what the node has emitted.
    NodeCounters sender = exchange.combining() ? new NodeCounters() : nodeCounters;
    TaskOutput sent = surroundings.exchange(exchange, keyContext, sender, gate);
    Output output;
    if (exchange.combining()) {
      output = combiner(exchange, nodeCounters, sent);
    } else {
      addOutput(sent, slots.get(exchange.from().node()));
      output = sent;
    }
    exchanges.put(exchange, output);
    return output;
  }

  private Output combiner(Exchange exchange, NodeCounters sender, TaskOutput sent) {
    Node.WindowNode node = (Node.WindowNode) graph.node(exchange.targets().get(0).node());
    OperatorSlot slot = new OperatorSlot(node.name(), counters(node.name()), false);
    slot.watermark = surroundings.latestRestoredWatermark(node.name());
    slot.combines = true;
    readsFrom(slot, exchange.from());
    combiners.add(slot);
    addOutput(sent, slot);
    Context context = new Context(node, slot);
    context.main = sent;
    context.states =
        new MemoryBackend()
            .open(
                classes,
                KeyedStateBackend.Opening.fresh(
                    node.name(),
                    surroundings.keyKind(exchange.from()),
                    0,
                    plan.keyGroups(),
                    plan.keyGroups()));
    TaskParts parts = parts(node.name());
    slot.operator =
        parts.holding(
            Operators.of(classes, node.name()).combine(node, context),
            keyContext,
            gate,
            new Overflow[] {surroundings.overflow(exchange.from())});
    return parts(exchange.from().node()).counting(sender, slot.operator);
  }

  /** Nodes that have something in the task. */
  public Set<String> nodes() {
    Set<String> nodes = new LinkedHashSet<>(stage.nodes());
    combiners.forEach(slot -> nodes.add(slot.node));
    return nodes;
  }

  /** What takes the records that come in through an exchange. */
  public Output head(Exchange exchange) {
    List<Output> heads = new ArrayList<>();
    exchange
        .targets()
        .forEach(target -> heads.add(slot(target.node()).operator.input(target.input())));
    return heads.size() == 1
        ? heads.get(0)
        : parts(exchange.targets().get(0).node()).fanOut(new NodeCounters(), keyContext, heads);
  }

  private TaskParts parts(String node) {
    return TaskParts.of(classes, node);
  }

  private OperatorSlot slot(String node) {
    OperatorSlot slot = slots.get(node);
    if (slot == null) {
      throw new IllegalStateException("node '" + node + "' is not in stage " + stage.id());
    }
    return slot;
  }

  /** Name of the task: stage and index. */
  public String id() {
    return stage.id() + "[" + index + "]";
  }

  /** Notes where an operator's event time comes from. */
  private void readsFrom(OperatorSlot slot, Port port) {
    OperatorSlot feeder = slots.get(port.node());
    if (feeder == null) {
      slot.readsInput = true;
    } else {
      List<OperatorSlot> feeders = new ArrayList<>(slot.feeders);
      feeders.add(feeder);
      slot.feeders = List.copyOf(feeders);
    }
  }

  /** The task, with the input that {@code inputs} makes. */
  public StageTask finish(Function<StageBuilder, TaskInput> inputs) {
    TaskInput made = inputs.apply(this);
    input = made;
    if (tracksPositions) {
      made.trackPositions();
    }
    List<OperatorSlot> inOrder = new ArrayList<>();
    for (String node : stage.nodes()) {
      OperatorSlot slot = slots.get(node);
      if (slot != null) {
        graph.node(node).inputs().forEach(port -> readsFrom(slot, port));
        inOrder.add(slot);
      }
    }
    inOrder.addAll(combiners);
    TaskCheckpoints.Services services = surroundings.checkpoints();
    TaskClock taskClock = new TaskClock();
    return new StageTask(
        id(),
        config,
        control,
        clock,
        taskClock,
        gate,
        inOrder,
        outputs,
        senders.toArray(new OperatorSlot[0]),
        made,
        counters,
        services == null
            ? null
            : new TaskCheckpoints(id(), stage.nodes().get(0), services, taskClock));
  }

  private final class Context implements OperatorContext {
    private final Node node;
    private final OperatorSlot slot;
    private @Nullable Output main;
    private @Nullable KeyedStates states;

    Context(Node node, OperatorSlot slot) {
      this.node = node;
      this.slot = slot;
    }

    @Override
    public String node() {
      return node.name();
    }

    @Override
    public String job() {
      return control.job();
    }

    @Override
    public int taskIndex() {
      return index;
    }

    @Override
    public int parallelism() {
      return stage.parallelism();
    }

    @Override
    public Output output() {
      if (main == null) {
        main = StageBuilder.this.output(Port.main(node.name()));
      }
      return main;
    }

    @Override
    public Output output(String name) {
      return StageBuilder.this.output(new Port(node.name(), name));
    }

    @Override
    public boolean full() {
      return gate.closed;
    }

    @Override
    public KeyContext keyContext() {
      return keyContext;
    }

    @Override
    public NodeCounters counters() {
      return StageBuilder.this.counters(node.name());
    }

    @Override
    public @Nullable Rejections rejections() {
      return StageBuilder.this.rejections(node);
    }

    private KeyKind<Object> inputKeyKind() {
      return surroundings.keyKind(node.inputs().get(0));
    }

    @Override
    public KeyedStates states() {
      if (states == null) {
        TaskStates opened = backend.open(classes, opening());
        slot.states = opened;
        states = opened;
      }
      return states;
    }

    private KeyedStateBackend.Opening opening() {
      int groups = plan.keyGroups();
      return new KeyedStateBackend.Opening(
          node.name(),
          inputKeyKind(),
          KeyGroups.firstGroup(index, stage.parallelism(), groups),
          KeyGroups.firstGroup(index + 1, stage.parallelism(), groups),
          groups,
          surroundings.checkpoints() != null,
          surroundings.restored(node.name()));
    }

    @Override
    public Inferred valueForm(int input) {
      return graph.rowForm(node.inputs().get(input));
    }

    @Override
    public Timers timers(TimerHandler handler) {
      slot.timersAreSaved = true;
      TimerQueue timers = newTimers(handler);
      SavedTimers.restore(timers, opening());
      return timers;
    }

    @Override
    public Timers derivedTimers(TimerHandler handler) {
      return newTimers(handler);
    }

    private TimerQueue newTimers(TimerHandler handler) {
      TimerHandler handled =
          slot.before == null
              ? handler
              : GroupTimesOperator.around(handler, slot.before, slot, keyContext);
      TimerQueue timers = new TimerQueue(handled, inputKeyKind(), keyContext, gate);
      slot.timers = timers;
      return timers;
    }

    @Override
    public void suspend() {
      gate.suspend();
    }

    @Override
    public long watermark() {
      return slot.watermark;
    }

    @Override
    public @Nullable GroupTimes groupTimes() {
      return slot.before;
    }

    @Override
    public Clock clock() {
      return clock;
    }

    @Override
    public long jobTimeMillis() {
      return surroundings.jobTime().millis();
    }
  }
}
