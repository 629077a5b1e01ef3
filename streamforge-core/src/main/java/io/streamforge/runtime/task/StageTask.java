package io.streamforge.runtime.task;

import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.scheduler.Task;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.time.Clock;
import io.streamforge.time.TimeDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** A stage's operators in one task, and the loop that drives them. */
// What a step does, in this order, each part only if the ones before left the gate open:
//
// 1. letters from other threads;
// 2. records that found no room are sent;
// 3. operators with work in hand go on, the most downstream first;
// 4. event time that is on its way through the operators goes on: for each operator, upstream
//    first, onWatermark, its work in hand, its timers; behind the last one it is forwarded;
// 5. timers of processing time;
// 6. a checkpoint whose barrier has come;
// 7. input;
// 8. the end, or a flush when the input has run dry or a batch has waited long enough;
// 9. whatever the gate: queries.
//
// Invariant: a record, a timer or a watermark enters an operator only while the gate is open, that
// is, while nothing downstream in the task has work in hand or no room.
public final class StageTask implements Task, CheckpointPart {
  private static final Logger LOG = LoggerFactory.getLogger(StageTask.class);

  private final String id;
  private final EngineConfig config;
  private final JobControl control;
  private final Clock clock;
  private final Gate gate;
  private final Mailbox mailbox = new Mailbox();
  private final TaskQueries queries;

  /** Who waits until what is combined has been sent. */
  private final Queue<CompletableFuture<Void>> sendingCombined = new ConcurrentLinkedQueue<>();

  private final Queue<CompletableFuture<TaskTimes>> askingForTimes = new ConcurrentLinkedQueue<>();

  private enum Combined {
    KEPT,
    TO_SEND,
    LEAVING
  }

  private Combined combined = Combined.KEPT;
  private final TaskClock taskClock;
  private final OperatorSlot[] slots;
  private final List<TaskOutput> outputs;

  /** Whose each output is; null: what comes in goes out there. */
  private final @Nullable OperatorSlot[] senders;

  private final TaskInput input;
  private final Map<String, NodeCounters> counters;

  /** Null in a job without checkpoints. */
  private final @Nullable TaskCheckpoints checkpoints;

  private @Nullable OperatorSlot current;
  private long watermark = Timestamps.MIN;
  private long advancingTo = Timestamps.MIN;
  private int cursor = -1;
  private boolean cursorStarted;
  private boolean firingTimers;
  private final long maxBatchDelayNanos;
  private boolean idleSettled;
  private long lastFlushNanos;
  private boolean ending;

  /** A checkpoint that has been published and whose output is still to be committed; 0: none. */
  private long unhandled;

  private boolean done;
  private final AtomicBoolean closed = new AtomicBoolean();

  StageTask(
      String id,
      EngineConfig config,
      JobControl control,
      Clock clock,
      TaskClock taskClock,
      Gate gate,
      List<OperatorSlot> slots,
      List<TaskOutput> outputs,
      @Nullable OperatorSlot[] senders,
      TaskInput input,
      Map<String, NodeCounters> counters,
      @Nullable TaskCheckpoints checkpoints) {
    this.id = id;
    this.config = config;
    this.maxBatchDelayNanos = config.maxBatchDelay().toNanos();
    this.control = control;
    this.clock = clock;
    this.taskClock = taskClock;
    this.gate = gate;
    this.slots = slots.toArray(new OperatorSlot[0]);
    this.outputs = outputs;
    this.senders = senders;
    this.input = input;
    this.counters = Map.copyOf(counters);
    this.checkpoints = checkpoints;
    this.queries = new TaskQueries(control.job(), id, mailbox, this::read);
  }

  /** Stage and index, as {@code 1[0]}. */
  @Override
  public String id() {
    return id;
  }

  /** Where other threads leave work for the task. */
  public Mailbox mailbox() {
    return mailbox;
  }

  /**
   * Any thread: has a request answered between two steps; it fails when the task has ended, or too
   * many are waiting.
   */
  public void ask(StateRequest request) {
    queries.ask(request);
  }

  /**
   * Any thread: has what the task has combined for nodes of other stages sent; completed when that
   * is on its way, or the task has ended.
   */
  public CompletableFuture<Void> sendCombined() {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    sendingCombined.add(sent);
    mailbox.send(() -> combined = Combined.TO_SEND);
    if (closed.get()) {
      combinedIsSent();
    }
    return sent;
  }

  /**
   * Any thread: how its event time stands, seen between two steps. A task that has ended tells what
   * it saw last.
   */
  public CompletableFuture<TaskTimes> times() {
    CompletableFuture<TaskTimes> asked = new CompletableFuture<>();
    askingForTimes.add(asked);
    mailbox.send(this::tellTimes);
    if (closed.get()) {
      tellTimes();
    }
    return asked;
  }

  private void tellTimes() {
    for (CompletableFuture<TaskTimes> asked; (asked = askingForTimes.poll()) != null; ) {
      asked.complete(timesNow());
    }
  }

  private TaskTimes timesNow() {
    Map<String, Long> ofNodes = new HashMap<>();
    Map<String, Long> due = new HashMap<>();
    for (OperatorSlot slot : slots) {
      if (!slot.combines) {
        ofNodes.put(slot.node, slot.reached);
        due.put(
            slot.node, slot.timers == null ? Timestamps.MAX : slot.timers.next(TimeDomain.EVENT));
      }
    }
    return new TaskTimes(id, input.watermark(), ofNodes, due, input.sender(), input.splitTimes(id));
  }

  private void beginSendingCombined() throws Exception {
    for (OperatorSlot slot : slots) {
      if (slot.combines) {
        current = slot;
        slot.operator.beforeCheckpoint(); // which sends what is kept only to be sent later
        if (slot.operator.pending()) {
          gate.suspend();
        }
      }
    }
    current = null;
    combined = Combined.LEAVING;
  }

  private void combinedIsSent() {
    for (CompletableFuture<Void> sent; (sent = sendingCombined.poll()) != null; ) {
      sent.complete(null);
    }
  }

  /** Between two steps: what other threads wait for. */
  private void answerOthers() {
    if (combined == Combined.LEAVING && !gate.closed) {
      combined = Combined.KEPT;
      flush(clock.monotonicNanos());
      combinedIsSent();
    }
    if (queries.due()) {
      queries.answer();
    }
  }

  private @Nullable Object read(StateRequest request) throws Exception {
    for (OperatorSlot slot : slots) {
      if (slot.node.equals(request.node())) {
        return slot.operator.read(
            request.state(), request.key(), request.hash(), slot.firedToMillis());
      }
    }
    throw new IllegalStateException("task " + id + " has no node '" + request.node() + "'");
  }

  /** How the task spends its time. */
  public TaskClock taskClock() {
    return taskClock;
  }

  /** Where its records come from. */
  public TaskInput input() {
    return input;
  }

  /** Event time that all its operators have handled. */
  public long watermark() {
    return watermark;
  }

  /** Batches that its outputs could still fill. */
  public int creditsAtHand() {
    int credits = 0;
    for (TaskOutput output : outputs) {
      credits += output.creditsAtHand();
    }
    return credits;
  }

  /**
   * Records a second that the slowest of its outputs was last seen to take while there were any; 0:
   * not measured yet.
   */
  public double recordsPerSecondTaken() {
    double slowest = Double.MAX_VALUE;
    for (TaskOutput output : outputs) {
      double taken = output.recordsPerSecondTaken();
      slowest = taken > 0 ? Math.min(slowest, taken) : slowest;
    }
    return slowest == Double.MAX_VALUE ? 0 : slowest;
  }

  /** Opens the operators but for sinks; before the first step, on any thread. */
  public void open() {
    for (OperatorSlot slot : slots) {
      if (!slot.sink) {
        open(slot);
      }
    }
  }

  /**
   * Opens the sinks, after {@link #open}.
   *
   * @param index of the task within its stage
   * @param markers the last checkpoint that the task's writer of a sink is known to have committed
   */
  public void openSinks(int index, ToLongFunction<String> markers) {
    for (OperatorSlot slot : slots) {
      if (slot.sink) {
        open(slot);
        if (checkpoints != null
            && slot.writer instanceof CommittingWriter<Object, Object> committing) {
          slot.commits =
              new WriterCommits(slot.node, index, committing, markers.applyAsLong(slot.node));
        }
      }
    }
  }

  private void open(OperatorSlot slot) {
    current = slot;
    try {
      slot.operator.open();
    } catch (Throwable e) {
      throw located(e);
    }
    current = null;
  }

  @Override
  public Progress run() {
    if (done) {
      return Progress.DONE;
    }
    MDC.put("job", control.job());
    MDC.put("task", id);
    long now = clock.monotonicNanos();
    taskClock.begin(now);
    Progress progress;
    try {
      progress = step(now);
      if (progress == Progress.IDLE && checkpoints != null && checkpoints.canWrite()) {
        progress = Progress.WORKED;
      }
      if (progress != Progress.DONE) {
        answerOthers();
      }
    } catch (Throwable e) {
      fail(e);
      progress = Progress.DONE;
    }
    if (progress == Progress.DONE) {
      close();
    }
    taskClock.end(clock.monotonicNanos(), gate.full());
    MDC.remove("task");
    MDC.remove("job");
    return progress;
  }

  private Progress step(long now) throws Exception {
    boolean worked = mailbox.drain();
    if (control.stopping()) {
      return Progress.DONE;
    }
    if (combined == Combined.TO_SEND) {
      beginSendingCombined();
    }
    for (TaskOutput output : outputs) {
      output.drainHeld();
    }
    if (checkpoints != null) {
      if (unhandled != 0) {
        commitSinks(checkpoints);
      }
      checkpoints.write(config.stepBudget());
    }
    if (gate.full()) {
      return waitForRoom();
    }
    if (gate.suspended() && !resume()) {
      return goOn(now);
    }
    if (ending) {
      return end(now);
    }
    if (!advance() || !fireProcessingTimers() || takesCheckpoint()) {
      return goOn(now);
    }
    if (checkpoints != null && checkpoints.held()) {
      flush(now);
      return Progress.IDLE;
    }
    worked |= input.step(config.stepBudget());
    if (checkpoints != null) {
      checkpoints.looked(input);
    }
    if (gate.closed || eventTimeMoves() || !settleIdleness()) {
      return goOn(now);
    }
    forwardEventTime();
    if (input.ended()) {
      finishOperators();
      outputs.forEach(TaskOutput::end);
      ending = true;
      return end(now);
    }
    if (!worked) {
      flush(now);
      return Progress.IDLE;
    }
    return goOn(now);
  }

  /** There is more to do, unless there is no room. */
  private Progress goOn(long now) {
    if (gate.full()) {
      return waitForRoom();
    }
    if (now - lastFlushNanos >= maxBatchDelayNanos) {
      lastFlushNanos = now;
      outputs.forEach(TaskOutput::flushUseful);
    }
    return Progress.WORKED;
  }

  /** All has been processed; whether all has been sent, and the last checkpoint published. */
  private Progress end(long now) throws Exception {
    if (!flush(now)) {
      return Progress.IDLE;
    }
    if (checkpoints == null || checkpoints.complete()) {
      return Progress.DONE;
    }
    checkpoints.ended();
    long due = checkpoints.due(0);
    if (due != 0) {
      checkpoints.take(due, slots, input, true);
    }
    return Progress.IDLE;
  }

  /**
   * Takes the checkpoint whose barrier has come, as soon as nothing is on its way through the
   * operators; whether there is one.
   */
  private boolean takesCheckpoint() throws Exception {
    if (checkpoints == null) {
      return false;
    }
    long due = checkpoints.due(input.barrier());
    if (due == 0) {
      return false;
    }
    if (eventTimeMoves()) {
      return true;
    }
    for (OperatorSlot slot : slots) {
      current = slot;
      slot.operator.beforeCheckpoint();
      if (slot.operator.pending()) {
        gate.suspend();
      }
      if (gate.closed) {
        working(slot);
        // What it has set off may reach operators before it, in time; so all are asked again.
        current = null;
        return true;
      }
    }
    current = null;
    checkpoints.take(due, slots, input, false);
    for (TaskOutput output : outputs) {
      output.barrier(due);
    }
    input.settled(due);
    return true;
  }

  @Override
  public boolean isSource() {
    return input.node() != null;
  }

  @Override
  public void trigger(long checkpoint) {
    toCheckpoints(own -> own.request(checkpoint));
  }

  @Override
  public void overtake(long checkpoint) {
    if (!isSource()) {
      toCheckpoints(own -> own.overtake(checkpoint));
    }
  }

  @Override
  public void hold(boolean held) {
    if (isSource()) {
      toCheckpoints(own -> own.hold(held));
    }
  }

  @Override
  public void published(long checkpoint, boolean last) {
    toCheckpoints(
        own -> {
          own.published(checkpoint, last);
          unhandled = checkpoint;
        });
  }

  @Override
  public void abandoned(long checkpoint) {
    toCheckpoints(
        own -> {
          own.abandoned(checkpoint);
          input.settled(checkpoint);
        });
  }

  private void commitSinks(TaskCheckpoints own) throws Exception {
    for (OperatorSlot slot : slots) {
      if (slot.commits != null) {
        current = slot;
        slot.commits.published(unhandled);
        slot.commits.commit();
        own.committed(unhandled, slot.node);
      }
    }
    current = null;
    unhandled = 0;
  }

  private void toCheckpoints(Consumer<TaskCheckpoints> letter) {
    TaskCheckpoints own = checkpoints;
    if (own != null) {
      mailbox.send(() -> letter.accept(own));
    }
  }

  private void working(OperatorSlot slot) {
    if (checkpoints != null) {
      checkpoints.working(slot.node);
    }
  }

  @Override
  public PartProgress progress(long checkpoint) {
    TaskCheckpoints own = checkpoints;
    if (own == null) {
      throw new IllegalStateException("task " + id + " takes no checkpoints");
    }
    return own.progress(checkpoint, input, gate);
  }

  /** For how long inputs waited for others in the last checkpoint that it has taken, in millis. */
  public long alignmentMillis() {
    return checkpoints == null ? 0 : TimeUnit.NANOSECONDS.toMillis(checkpoints.alignmentNanos());
  }

  private void finishOperators() throws Exception {
    for (OperatorSlot slot : slots) {
      current = slot;
      slot.operator.finish();
    }
    current = null;
  }

  private Progress waitForRoom() {
    outputs.forEach(TaskOutput::flushUseful);
    return Progress.IDLE;
  }

  private boolean flush(long now) {
    lastFlushNanos = now;
    boolean all = true;
    for (TaskOutput output : outputs) {
      all &= output.flush();
    }
    return all;
  }

  /** Operators with work in hand go on; whether none has any left. */
  private boolean resume() throws Exception {
    for (int i = slots.length - 1; i >= 0; i--) {
      OperatorSlot slot = slots[i];
      if (slot.operator.pending()) {
        // Nothing downstream of it has work in hand: until that changes it may go on.
        gate.resumed();
        current = slot;
        working(slot);
        slot.operator.resume(config.stepBudget());
        current = null;
        gate.suspend();
        return false;
      }
    }
    gate.resumed();
    return true;
  }

  private boolean eventTimeMoves() {
    return cursor >= 0 || input.watermark() > watermark;
  }

  /** Takes event time through the operators; whether it has arrived. */
  private boolean advance() throws Exception {
    if (!eventTimeMoves()) {
      return true;
    }
    if (cursor < 0) {
      advancingTo = input.watermark();
      cursor = 0;
      cursorStarted = false;
    }
    for (; cursor < slots.length; cursor++, cursorStarted = false) {
      OperatorSlot slot = slots[cursor];
      current = slot;
      if (!cursorStarted) {
        cursorStarted = true;
        slot.reached = slot.arriving(advancingTo);
        // After a restart an operator may be ahead of its input for a while.
        if (slot.reached > slot.watermark) {
          slot.watermark = slot.reached;
          slot.operator.onWatermark(slot.reached);
          if (slot.operator.pending()) {
            gate.suspend();
          }
        }
        if (gate.closed) {
          working(slot);
          current = null;
          return false;
        }
      }
      if (slot.timers != null
          && !slot.timers.fire(TimeDomain.EVENT, slot.reached, config.stepBudget())) {
        working(slot);
        current = null;
        return false;
      }
      current = null;
      if (gate.closed) {
        return false;
      }
      slot.settled();
    }
    cursor = -1;
    watermark = advancingTo;
    forwardEventTime();
    return true;
  }

  /**
   * An idle input does not hold event time back, so what operators keep goes on before that is
   * told; whether it has.
   */
  private boolean settleIdleness() throws Exception {
    boolean idle = input.idle();
    if (idle && !idleSettled) {
      for (OperatorSlot slot : slots) {
        current = slot;
        slot.operator.onIdle();
        if (slot.operator.pending()) {
          gate.suspend();
        }
      }
      current = null;
    }
    idleSettled = idle;
    return !gate.closed;
  }

  private void forwardEventTime() {
    boolean idle = idleSettled && input.idle();
    for (int i = 0; i < senders.length; i++) {
      OperatorSlot sender = senders[i];
      outputs.get(i).eventTime(sender == null ? watermark : sender.forwarded, idle);
    }
  }

  /**
   * Fires what is due; whether nothing is due any more. Also event timers set behind event time.
   */
  private boolean fireProcessingTimers() throws Exception {
    for (OperatorSlot slot : slots) {
      if (slot.timers == null) {
        continue;
      }
      current = slot;
      firingTimers = true;
      boolean all =
          slot.timers.fire(TimeDomain.EVENT, slot.watermark, config.stepBudget())
              && (slot.timers.next(TimeDomain.PROCESSING) == Long.MAX_VALUE
                  || slot.timers.fire(
                      TimeDomain.PROCESSING, clock.wallMillis(), config.stepBudget()));
      firingTimers = false;
      current = null;
      if (!all || gate.closed) {
        return false;
      }
    }
    return true;
  }

  @Override
  public long deadlineNanos() {
    if (gate.full() || ending || (checkpoints != null && checkpoints.held())) {
      return Long.MAX_VALUE;
    }
    long deadline = input.deadlineNanos();
    for (OperatorSlot slot : slots) {
      if (slot.timers != null) {
        long next = slot.timers.next(TimeDomain.PROCESSING);
        if (next != Long.MAX_VALUE) {
          deadline = Math.min(deadline, Deadlines.nanosAt(clock, next));
        }
      }
    }
    return deadline;
  }

  /** Ends the input as if there were no more records. */
  public void drain() {
    input.drain();
  }

  private void close() {
    done = true;
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    queries.close();
    combinedIsSent();
    tellTimes();
    for (OperatorSlot slot : slots) {
      try {
        slot.operator.close();
      } catch (Throwable e) {
        current = slot;
        report(e);
      }
    }
    current = null;
    if (checkpoints != null) {
      checkpoints.close();
    }
    try {
      input.close();
    } catch (Throwable e) {
      report(e);
    }
    outputs.forEach(TaskOutput::close);
    control.completed();
  }

  /** Closes a task that has never run, or that no thread runs any more. */
  public void abandon() {
    close();
    if (checkpoints != null) {
      checkpoints.release();
    }
    try {
      input.release();
    } catch (Throwable e) {
      report(e);
    }
  }

  private void report(Throwable e) {
    if (control.stopping()) {
      LOG.debug("task {} of job '{}' could not close all it holds", id, control.job(), e);
    } else {
      fail(e);
    }
  }

  /** Reports a failure, whatever happens while its place is looked for. */
  private void fail(Throwable e) {
    StreamForgeException failure;
    try {
      failure = located(e);
    } catch (Throwable another) {
      e.addSuppressed(another);
      failure =
          new StreamForgeException(
              ErrorCode.INTERNAL,
              new ErrorContext(control.job(), null, id, null, null),
              "a failure could not be located",
              e);
    }
    control.failed(failure);
  }

  /**
   * The failure with its place: the last node whose books do not balance, since each node books a
   * record right before it hands it on.
   */
  private StreamForgeException located(Throwable failure) {
    OperatorSlot culprit = current;
    for (OperatorSlot slot : slots) {
      if (!slot.counters.balanced() && (slot == current || !slot.operator.pending())) {
        culprit = slot;
      }
    }
    String node = culprit != null ? culprit.node : input.node();
    // What fires by time has no record.
    Object record = cursor >= 0 || firingTimers ? null : input.recordInHand();
    ErrorContext context =
        new ErrorContext(
            control.job(),
            node != null ? node : String.join(" > ", nodes()),
            id,
            record == null ? null : input.position(),
            record == null ? null : Rendering.shortened(record));
    if (failure instanceof StreamForgeException known) {
      return known.within(context);
    }
    boolean sink = culprit != null && culprit.sink;
    return new StreamForgeException(
        sink ? ErrorCode.SINK_FAILED : ErrorCode.FUNCTION_FAILED,
        context,
        (sink ? "the sink failed: " : "a user function failed: ") + Rendering.cause(failure),
        failure);
  }

  private List<String> nodes() {
    return java.util.Arrays.stream(slots).map(slot -> slot.node).toList();
  }

  /** The counters of a node in this task; null when it is not here. */
  public @Nullable NodeCounters counters(String node) {
    return counters.get(node);
  }
}
