package io.streamforge.runtime;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.RestoredStates;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.Alignment;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.plan.Exchange;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.BatchPool;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.ChannelFactory;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.MemoryOverflow;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.runtime.checkpoint.RestoredJob;
import io.streamforge.runtime.checkpoint.SinkRecovery;
import io.streamforge.runtime.source.Pacer;
import io.streamforge.runtime.source.SourceCoordinator;
import io.streamforge.runtime.source.SourceFailures;
import io.streamforge.runtime.source.SourceInputs;
import io.streamforge.runtime.source.SplitAlignment;
import io.streamforge.runtime.source.SplitInput;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.Inlet;
import io.streamforge.runtime.task.JobControl;
import io.streamforge.runtime.task.JobTime;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.Sender;
import io.streamforge.runtime.task.SinkPump;
import io.streamforge.runtime.task.StageBuilder;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.runtime.task.TaskCheckpoints;
import io.streamforge.runtime.task.TaskInput;
import io.streamforge.runtime.task.TaskParts;
import io.streamforge.scheduler.DeferredWaker;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.SplitEnumerator;
import io.streamforge.specialise.NodeClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the parts of a job: its channels, tasks, readers and writers, with the state they had. */
final class JobAssembly {
  /**
   * How the job takes checkpoints.
   *
   * @param owner the process as the owner of the job's checkpoints
   * @param control whom tasks answer to
   */
  record Checkpointing(CheckpointConfig settings, LogOwner owner, CheckpointControl control) {}

  private final PhysicalPlan plan;
  private final EngineConfig config;
  private final Scheduler scheduler;
  private final RuntimeHooks hooks;
  private final KeyedStateBackend backend;
  private final RestoredJob restored;
  private final JobTime jobTime;
  private final JobControl control;
  private final @Nullable Checkpointing checkpointing;
  private final JobParts parts;
  private final NodeClasses classes;
  private final RecordForms forms;
  private final LogicalGraph graph;
  private final Map<Exchange, Channel<Batch>[][]> channels = new HashMap<>();
  private final Map<Stage, DeferredWaker[]> stageWakers = new HashMap<>();
  private final Map<Stage, BatchPool[]> poolsOfStage = new HashMap<>();

  JobAssembly(
      PhysicalPlan plan,
      EngineConfig config,
      Scheduler scheduler,
      RuntimeHooks hooks,
      KeyedStateBackend backend,
      RestoredJob restored,
      JobTime jobTime,
      JobControl control,
      @Nullable Checkpointing checkpointing,
      JobParts parts) {
    this.plan = plan;
    this.config = config;
    this.scheduler = scheduler;
    this.hooks = hooks;
    this.backend = backend;
    this.restored = restored;
    this.jobTime = jobTime;
    this.control = control;
    this.checkpointing = checkpointing;
    this.parts = parts;
    this.classes = new NodeClasses(config.specialise());
    this.forms = new RecordForms(plan, config);
    this.graph = plan.graph();
  }

  /** Builds all parts with their state and opens them, but for sinks. */
  void assemble() {
    forms.check();
    for (Stage stage : plan.stages()) {
      for (int i = 0; i < stage.parallelism(); i++) {
        for (String node : stage.nodes()) {
          restored.expect(node, groups(stage, i), i, stage.parallelism());
        }
      }
      DeferredWaker[] own = new DeferredWaker[stage.parallelism()];
      for (int i = 0; i < own.length; i++) {
        own[i] = new DeferredWaker();
        parts.wakers.add(own[i]);
      }
      stageWakers.put(stage, own);
    }
    plan.exchanges().forEach(this::connect);
    Map<Stage, List<Building>> buildings = new LinkedHashMap<>();
    for (Stage stage : plan.stages()) {
      List<Building> ofStage = new ArrayList<>();
      for (int i = 0; i < stage.parallelism(); i++) {
        ofStage.add(new Building(stage, i));
      }
      buildings.put(stage, ofStage);
      parts.opened.addAll(ofStage);
    }
    List<Runnable> operators = new ArrayList<>();
    buildings.values().forEach(all -> all.forEach(each -> operators.add(each::operators)));
    restored.inTurns(operators, config.workers());
    buildings.forEach(
        (stage, ofStage) -> {
          if (graph.node(stage.nodes().get(0)) instanceof Node.SourceNode source) {
            sourceStage(stage, source, ofStage);
          } else {
            ofStage.forEach(each -> each.finish(builder -> channelInput(stage, builder)));
          }
        });
    List<Runnable> openings = new ArrayList<>();
    parts.tasks.forEach(task -> openings.add(task::open));
    restored.inTurns(openings, config.workers());
    restored.checkAllTaken(sources(plan), SinkRecovery.committingSinks(plan).keySet());
    restored.end();
  }

  private Manifest.GroupRange groups(Stage stage, int index) {
    int all = plan.keyGroups();
    return new Manifest.GroupRange(
        KeyGroups.firstGroup(index, stage.parallelism(), all),
        KeyGroups.firstGroup(index + 1, stage.parallelism(), all));
  }

  private DeferredWaker waker(Stage stage, int index) {
    DeferredWaker[] own = stageWakers.get(stage);
    if (own == null) {
      throw new IllegalStateException("no stage " + stage.id());
    }
    return own[index];
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void connect(Exchange exchange) {
    Stage from = plan.stages().get(exchange.fromStage());
    Stage to = plan.stages().get(exchange.toStage());
    boolean forward = exchange.kind() == Exchange.Kind.FORWARD;
    Channel<Batch>[][] all = new Channel[from.parallelism()][];
    ChannelFactory factory = new ChannelFactory(config, to.parallelism(), scheduler.clock());
    BatchPool[] pools = pools(to, factory);
    for (int i = 0; i < all.length; i++) {
      all[i] = new Channel[forward ? 1 : to.parallelism()];
      for (int j = 0; j < all[i].length; j++) {
        int receiver = forward ? i : j;
        all[i][j] = factory.channel(pools[receiver]);
        all[i][j].connect(waker(from, i), waker(to, receiver));
      }
    }
    channels.put(exchange, all);
  }

  /** One for each task of the stage, whatever exchanges end there. */
  private BatchPool[] pools(Stage receivers, ChannelFactory factory) {
    return poolsOfStage.computeIfAbsent(
        receivers,
        stage -> {
          BatchPool[] pools = new BatchPool[stage.parallelism()];
          Arrays.setAll(pools, i -> factory.pool());
          return pools;
        });
  }

  private Channel<Batch>[][] channels(Exchange exchange) {
    Channel<Batch>[][] all = channels.get(exchange);
    if (all == null) {
      throw new IllegalStateException("no exchange " + exchange.id());
    }
    return all;
  }

  /** A task that is being built. */
  private final class Building implements AutoCloseable {
    private final TaskSurroundings surroundings;
    private final StageBuilder builder;

    Building(Stage stage, int index) {
      surroundings = new TaskSurroundings(stage, index);
      builder =
          new StageBuilder(
              plan,
              stage,
              index,
              config,
              control,
              scheduler.clock(),
              backend,
              classes,
              surroundings);
    }

    /** Its operators with their state. */
    void operators() {
      builder.operators();
    }

    /** The task, which is one of the job's from now on. */
    void finish(java.util.function.Function<StageBuilder, TaskInput> input) {
      StageTask task = builder.finish(input);
      parts.opened.remove(this);
      parts.tasks.add(task);
      parts.pumps.addAll(surroundings.ownPumps);
      for (String node : builder.nodes()) {
        parts.tasksOfNode.computeIfAbsent(node, n -> new ArrayList<>()).add(task);
      }
    }

    /** It comes to nothing. */
    @Override
    public void close() {
      builder.abandon();
    }
  }

  private TaskInput channelInput(Stage stage, StageBuilder builder) {
    List<Channel<Batch>> inputs = new ArrayList<>();
    List<Output> heads = new ArrayList<>();
    List<Sender> senders = new ArrayList<>();
    List<Inlet> inlets = new ArrayList<>();
    for (Exchange exchange : plan.inputsOf(stage)) {
      Output head = builder.head(exchange);
      Inlet inlet = inlet(exchange, builder.index(), stage.parallelism());
      Channel<Batch>[][] all = channels(exchange);
      boolean forward = exchange.kind() == Exchange.Kind.FORWARD;
      for (int i = 0; i < all.length; i++) {
        if (!forward || i == builder.index()) {
          inputs.add(all[i][forward ? 0 : builder.index()]);
          heads.add(head);
          senders.add(new Sender(exchange.from().toString(), exchange.fromStage() + "[" + i + "]"));
          inlets.add(inlet);
        }
      }
    }
    return TaskParts.of(classes, stage.nodes().get(0))
        .input(
            Values.cast(inputs.toArray(new Channel<?>[0])),
            heads.toArray(new Output[0]),
            senders.toArray(new Sender[0]),
            inlets,
            !(forms.alignment() instanceof Alignment.AtLeastOnce),
            builder.keyContext(),
            builder.gate(),
            scheduler.clock());
  }

  private Inlet inlet(Exchange exchange, int task, int parallelism) {
    Port from = exchange.from();
    String node = exchange.targets().get(0).node();
    Supplier<RecordForm> form = () -> forms.of(from);
    return new Inlet(
        from.toString(),
        node,
        forms.alignment() instanceof Alignment.UnalignedAfter ? form.get() : null,
        Batch.of(restored.inFlight(from.toString(), node, task, parallelism, form)));
  }

  private StreamForgeException notOpened(Node.SourceNode node, Exception e) {
    return SourceFailures.of(node.name(), e)
        .within(new ErrorContext(plan.job(), null, null, null, null));
  }

  private void sourceStage(Stage stage, Node.SourceNode node, List<Building> buildings) {
    SplitEnumerator enumerator;
    try {
      enumerator = node.source().enumerator(sourceContext(stage, node, 0, () -> {}));
    } catch (Exception e) {
      throw notOpened(node, e);
    }
    parts.opened.add(enumerator);
    double maxRate = node.options().maxRate();
    Pacer pacer = maxRate > 0 ? new Pacer(maxRate) : null;
    Duration maxDrift = node.options().watermarks().maxDrift();
    SplitAlignment alignment =
        maxDrift == null ? null : new SplitAlignment(maxDrift.toMillis(), stage.parallelism());
    int first = parts.tasks.size();
    for (int i = 0; i < stage.parallelism(); i++) {
      sourceTask(stage, node, i, buildings.get(i), pacer, alignment);
    }
    parts.coordinators.add(
        new SourceCoordinator(
            node.name(),
            enumerator,
            node.source().bounded(),
            restored.splits(node.name()),
            parts.tasks.subList(first, parts.tasks.size()),
            control,
            scheduler));
    parts.opened.remove(enumerator);
  }

  private void sourceTask(
      Stage stage,
      Node.SourceNode node,
      int index,
      Building building,
      @Nullable Pacer pacer,
      @Nullable SplitAlignment alignment) {
    DeferredWaker self = waker(stage, index);
    SourceInputHolder holder = new SourceInputHolder(self);
    SourceReader<?, ?> reader;
    try {
      reader = node.source().reader(sourceContext(stage, node, index, holder));
    } catch (Exception e) {
      throw notOpened(node, e);
    }
    parts.opened.add(reader);
    if (alignment != null) {
      alignment.connect(index, self);
    }
    building.finish(
        b -> {
          SplitInput input =
              SourceInputs.of(classes, node.name())
                  .create(
                      node.name(),
                      reader,
                      node.options().watermarks(),
                      node.source().hasTimestamps(),
                      pacer,
                      alignment,
                      index,
                      config.batchSize(),
                      scheduler,
                      self,
                      b.gate(),
                      b.counters(node.name()),
                      b.output(Port.main(node.name())),
                      b.rejections(node),
                      e -> control.failed(SourceFailures.of(node.name(), e)));
          holder.input = input;
          return input;
        });
    parts.opened.remove(reader);
  }

  private SourceContext sourceContext(Stage stage, Node.SourceNode node, int index, Runnable wake) {
    return new SourceContext(
        plan.job(), node.name(), index, stage.parallelism(), scheduler.clock(), wake);
  }

  /** What an operator's task needs from the job. */
  private final class TaskSurroundings implements StageBuilder.Surroundings {
    private final Stage stage;
    private final int index;
    private final List<SinkPump> ownPumps = new ArrayList<>();

    TaskSurroundings(Stage stage, int index) {
      this.stage = stage;
      this.index = index;
    }

    @Override
    public TaskOutput exchange(
        Exchange exchange, KeyContext keyContext, NodeCounters counters, Gate gate) {
      Channel<Batch>[] own = channels(exchange)[index];
      TaskParts parts = TaskParts.of(classes, exchange.from().node());
      TaskParts.SendingTask task =
          new TaskParts.SendingTask(keyContext, counters, gate, overflow(exchange.from()));
      return switch (exchange.kind()) {
        case HASH -> {
          int[] taskOfGroup = new int[plan.keyGroups()];
          for (int g = 0; g < taskOfGroup.length; g++) {
            taskOfGroup[g] = KeyGroups.taskOf(g, own.length, taskOfGroup.length);
          }
          yield parts.byKey(own, taskOfGroup, task);
        }
        case REBALANCE -> parts.inTurns(own, index, task);
        case FORWARD -> parts.forward(own[0], task);
      };
    }

    @Override
    public Overflow overflow(Port port) {
      return new MemoryOverflow(config.maxHeldRecords(), () -> forms.spillFile(port));
    }

    @Override
    public SinkWriter<Object, Object> directWriter(Node.SinkNode node) {
      try {
        return Values.cast(
            node.sink()
                .writer(
                    new SinkContext(
                        plan.job(),
                        node.name(),
                        index,
                        stage.parallelism(),
                        scheduler.clock(),
                        checkpointing != null,
                        graph.renaming().ofPart(node.name()))));
      } catch (StreamForgeException e) {
        throw e.within(new ErrorContext(plan.job(), node.name(), null, null, null));
      } catch (Exception e) {
        throw new StreamForgeException(
            ErrorCode.SINK_FAILED,
            new ErrorContext(plan.job(), node.name(), null, null, null),
            "the sink could not be opened: " + Rendering.cause(e),
            e);
      }
    }

    @Override
    public TaskOutput pump(Node.SinkNode node, KeyContext keyContext, Gate gate) {
      Channel<Batch> channel = channelToPump();
      SinkPump pump = pump(node, channel, rejectionsOf(node));
      channel.connect(waker(stage, index), pump.waker());
      return toPump(node, channel, keyContext, gate);
    }

    private Channel<Batch> channelToPump() {
      ChannelFactory factory = new ChannelFactory(config, 1, scheduler.clock());
      return factory.channel(factory.pool());
    }

    private SinkPump pump(
        Node.SinkNode node, Channel<Batch> channel, SinkPump.@Nullable Rejecting rejecting) {
      SinkPump pump =
          new SinkPump(
              node.name(),
              task(),
              index,
              control,
              checkpointing == null ? null : checkpointing.control(),
              checkpointing == null ? 0 : checkpointing.settings().timeout().toNanos(),
              () -> directWriter(node),
              channel,
              rejecting,
              scheduler);
      ownPumps.add(pump);
      return pump;
    }

    private String task() {
      return stage.id() + "[" + index + "]";
    }

    private TaskOutput toPump(
        Node.SinkNode node, Channel<Batch> channel, KeyContext keyContext, Gate gate) {
      return TaskParts.of(classes, node.name())
          .forward(
              channel,
              new TaskParts.SendingTask(
                  keyContext, new NodeCounters(), gate, overflow(node.input())));
    }

    /**
     * For a sink whose policy is not to fail; its dead letters go through a pump behind its own.
     */
    private SinkPump.@Nullable Rejecting rejectionsOf(Node.SinkNode node) {
      if (graph.policy(node) instanceof ErrorPolicy.Fail) {
        return null;
      }
      Port port = graph.deadLetters(node);
      SinkPump.DeadLetters letters = null;
      if (port != null) {
        Node.SinkNode to = (Node.SinkNode) graph.node(port.toString());
        Channel<Batch> channel = channelToPump();
        SinkPump behind = pump(to, channel, null);
        letters =
            new SinkPump.DeadLetters(
                to.name(),
                toPump(to, channel, new KeyContext(), new Gate()),
                waker -> channel.connect(waker, behind.waker()));
      }
      return new SinkPump.Rejecting(
          StageBuilder.rejecting(graph, node, plan.job(), task()), letters);
    }

    @Override
    public KeyKind<Object> keyKind(Port port) {
      if (graph.keyForm(port) instanceof Inferred.Found found) {
        return Values.cast(KeyKinds.of(found.serde()));
      }
      throw new IllegalStateException("no serde for the keys of " + port);
    }

    @Override
    public TaskCheckpoints.@Nullable Services checkpoints() {
      Checkpointing own = checkpointing;
      return own == null
          ? null
          : new TaskCheckpoints.Services(
              own.control(), own.owner(), scheduler, groups(), waker(stage, index));
    }

    private Manifest.GroupRange groups() {
      return JobAssembly.this.groups(stage, index);
    }

    @Override
    public RestoredStates restored(String node) {
      return restored.states(node, groups());
    }

    @Override
    public long restoredWatermark(String node) {
      return restored.watermark(node, groups());
    }

    @Override
    public @Nullable GroupTimes restoredTimes(String node) {
      return restored.times(node, groups());
    }

    @Override
    public long latestRestoredWatermark(String node) {
      return restored.latestWatermark(node);
    }

    @Override
    public JobTime jobTime() {
      return jobTime;
    }

    @Override
    public Output observed(String node, Output output) {
      return hooks.observed(node, output);
    }
  }

  /** Names of the sources. */
  static Set<String> sources(PhysicalPlan plan) {
    return plan.graph().nodes().stream()
        .filter(Node.SourceNode.class::isInstance)
        .map(Node::name)
        .collect(Collectors.toSet());
  }

  /** Passes a source's wake-up to its input and its task. */
  private static final class SourceInputHolder implements Runnable {
    private final DeferredWaker task;
    private volatile @Nullable SplitInput input;

    SourceInputHolder(DeferredWaker task) {
      this.task = task;
    }

    @Override
    public void run() {
      SplitInput target = input;
      if (target != null) {
        target.sourceWoken();
      }
      task.wake();
    }
  }
}
