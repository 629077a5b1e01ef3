package io.streamforge.testkit;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryKeyedStates;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.Timers;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.state.KeyedStates;
import io.streamforge.time.Clock;
import io.streamforge.time.TimeDomain;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives one operator the way a task would, in one of all the ways that are legal, and checks after
 * every call that the operator keeps its contract:
 *
 * <ul>
 *   <li>each record is booked exactly once, and before anything is emitted for it;
 *   <li>{@code resume} emits at most as often as its budget says, and nothing into a full output;
 *       {@code process} and a timer emit at most one record into one that was full when they came;
 *   <li>an operator that leaves work behind has said so;
 *   <li>what is emitted goes out with the hash of its own key, and where there are several inputs
 *       not behind the watermark that has been forwarded, which never goes back, unless the record
 *       that it is emitted for is itself;
 *   <li>a value is not changed after it has been emitted.
 * </ul>
 *
 * <p>Usage: {@link #apply} the events, then {@link #close} and look at {@link #emitted}. State is
 * in memory; {@link #liveWindows} and {@link #eventTimers} tell what the operator has left behind.
 */
public final class OperatorHarness {
  private static final int MAX_STEPS = 10_000_000;
  private static final int GROUPS = 64;

  private final KeyKind<Object> keyKind;
  private final HarnessMode mode;
  private final Random random;
  private final VirtualClock clock = new VirtualClock(0);
  private final KeyContext keyContext = new KeyContext();
  private final NodeCounters counters = new NodeCounters();
  private final List<Inferred> valueForms;
  private final Function<OperatorContext, Operator> factory;
  private MemoryKeyedStates states;
  private HarnessTimers timers;
  private Operator operator;
  private boolean timersAreDerived;
  private SavedStates saved = new SavedStates();
  private SavedStates.@Nullable Writing writing;
  private final List<Emitted> emitted = new ArrayList<>();
  private final List<String> renderings = new ArrayList<>();

  private @Nullable TimerHandler timerHandler;
  private long watermark = Long.MIN_VALUE;
  private long forwarded = Long.MIN_VALUE;

  /** Time of the record in hand, which may itself be behind what has been forwarded. */
  private long inHandMillis = Long.MAX_VALUE;

  private int event = -1;
  private boolean suspended;
  private int room;
  private int intoFull;
  private int readTo;

  /**
   * Opens an operator.
   *
   * @param keyKind identity of its keys
   * @param values serde of its input values
   * @param factory makes it from the context that it gets; with restarts several times
   */
  public OperatorHarness(
      KeyKind<?> keyKind,
      Serde<?> values,
      HarnessMode mode,
      Function<OperatorContext, Operator> factory)
      throws Exception {
    this(keyKind, List.of(values), mode, factory);
  }

  /**
   * As the other, with several inputs.
   *
   * @param values serdes of the values of each input
   */
  public OperatorHarness(
      KeyKind<?> keyKind,
      List<? extends Serde<?>> values,
      HarnessMode mode,
      Function<OperatorContext, Operator> factory)
      throws Exception {
    this.keyKind = Values.cast(keyKind);
    this.mode = mode;
    this.random = new Random(mode.seed());
    this.valueForms = values.stream().<Inferred>map(Inferred.Found::new).toList();
    this.factory = factory;
    this.states = openStates();
    this.timers = new HarnessTimers(this.keyKind);
    makeRoom();
    this.operator = factory.apply(new Context());
    operator.open();
  }

  private MemoryKeyedStates openStates() {
    return new MemoryKeyedStates(
        new KeyedStateBackend.Opening(
            "node", keyKind, 0, GROUPS, GROUPS, mode.restarts(), saved.restored()));
  }

  /** All events in this order. */
  public OperatorHarness apply(List<OperatorEvent> events) throws Exception {
    for (OperatorEvent next : events) {
      apply(next);
    }
    return this;
  }

  /** One event, with everything that follows from it. */
  public OperatorHarness apply(OperatorEvent next) throws Exception {
    event++;
    if (next instanceof OperatorEvent.Arrival arrival) {
      process(arrival.input(), arrival.record());
    } else if (next instanceof OperatorEvent.Watermark advance) {
      watermark = advance.millis();
      operator.onWatermark(watermark);
      finishWork();
    } else if (next instanceof OperatorEvent.ClockTime time) {
      clock.advance(Duration.ofMillis(time.millis() - clock.wallMillis()));
    }
    fireTimers(TimeDomain.EVENT, watermark);
    fireTimers(TimeDomain.PROCESSING, clock.wallMillis());
    if (next instanceof OperatorEvent.Watermark) {
      long told = operator.outputWatermark(watermark);
      require(told >= forwarded, "event time that is forwarded goes back to " + told);
      forwarded = told;
    }
    require(counters.balanced(), "the books do not balance");
    if (mode.restarts()) {
      save();
    }
    return this;
  }

  /** Goes on with saving; begins to, gives it up, or replaces the operator, as chance has it. */
  private void save() throws Exception {
    SavedStates.Writing current = writing;
    if (current == null) {
      if (random.nextBoolean()) {
        writing = beginSaving();
      }
      return;
    }
    current.write(1);
    switch (random.nextInt(4)) {
      case 0 -> {
        current.abandon();
        writing = null;
      }
      case 1 -> {
        saved = current.confirm();
        writing = null;
      }
      case 2 -> {
        saved = current.confirm();
        saved = beginSaving().confirm();
        writing = null;
        restart();
      }
      default -> {}
    }
  }

  private SavedStates.Writing beginSaving() throws Exception {
    operator.beforeCheckpoint();
    finishWork();
    return new SavedStates.Writing(states, saved);
  }

  /** Another operator begins with what was saved. */
  private void restart() throws Exception {
    operator.close();
    states = openStates();
    if (timersAreDerived) {
      timers = new HarnessTimers(keyKind);
    }
    operator = factory.apply(new Context());
    operator.open();
  }

  /** One record. */
  public OperatorHarness record(@Nullable Object key, @Nullable Object value, long timestampMillis)
      throws Exception {
    return apply(OperatorEvent.record(key, value, timestampMillis));
  }

  /** The watermark advances. */
  public OperatorHarness watermark(long millis) throws Exception {
    return apply(OperatorEvent.watermark(millis));
  }

  /** The clock advances. */
  public OperatorHarness clock(long millis) throws Exception {
    return apply(OperatorEvent.clock(millis));
  }

  /** Closes the operator, and checks that nothing was changed after it had been emitted. */
  public void close() throws Exception {
    operator.close();
    for (int i = 0; i < emitted.size(); i++) {
      require(
          renderings.get(i).equals(emitted.get(i).toString()),
          "was emitted as " + renderings.get(i) + " and changed into " + emitted.get(i));
    }
  }

  private void process(int input, Record<@Nullable Object, @Nullable Object> record)
      throws Exception {
    long before = counters.in;
    keyContext.key = null;
    keyContext.hash = record.key() == null ? 0 : keyKind.hash(record.key());
    intoFull = 1;
    inHandMillis = record.timestampMillis();
    operator
        .input(input)
        .process(record.key(), record.value(), record.timestampMillis(), record.headers());
    require(counters.in == before + 1, "a record must be counted once");
    require(suspended || !operator.pending(), "work was left behind without suspend()");
    finishWork();
    inHandMillis = Long.MAX_VALUE;
  }

  private void fireTimers(TimeDomain domain, long nowMillis) throws Exception {
    for (HarnessTimers.Timer timer = timers.take(domain, nowMillis);
        timer != null;
        timer = timers.take(domain, nowMillis)) {
      keyContext.key = timer.key();
      keyContext.hash = timer.hash();
      intoFull = 1;
      TimerHandler handler = timerHandler;
      if (handler != null) {
        handler.onTimer(timer.key(), timer.timeMillis(), domain, timer.scope());
      }
      require(suspended || !operator.pending(), "work was left behind without suspend()");
      finishWork();
    }
  }

  private void finishWork() throws Exception {
    for (int i = 0; operator.pending(); i++) {
      require(i < MAX_STEPS, "never comes to an end");
      intoFull = 0;
      if (full()) {
        int before = emitted.size();
        operator.resume(mode.budget());
        require(emitted.size() == before, "resume emits into a full output");
        makeRoom();
      }
      int before = emitted.size();
      operator.resume(mode.budget());
      require(emitted.size() - before <= mode.budget(), "resume takes more than its budget");
    }
    suspended = false;
    makeRoom();
  }

  private void makeRoom() {
    room = mode.room() == 0 ? Integer.MAX_VALUE : random.nextInt(mode.room() + 1);
    if (room == 0 && random.nextBoolean()) {
      room = 1; // else it may be full from the start
    }
  }

  private boolean full() {
    return room == 0;
  }

  private void emit(
      String output,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers) {
    require(counters.balanced(), "emits before it has booked the record");
    if (full()) {
      require(intoFull-- > 0, "emits into a full output");
    } else {
      room--;
    }
    if (key != null) {
      require(keyContext.hash == keyKind.hash(key), "emits with the hash of another key");
    }
    require(
        valueForms.size() == 1
            || !output.isEmpty()
            || timestampMillis >= Math.min(forwarded, inHandMillis),
        "emits " + value + " at " + timestampMillis + ", behind " + forwarded);
    Emitted next =
        new Emitted(
            output,
            event,
            new Record<>(Values.cast(key), Values.cast(value), timestampMillis, headers));
    emitted.add(next);
    renderings.add(next.toString());
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new AssertionError("event #" + event + ": " + message + " (emitted: " + emitted + ")");
    }
  }

  /** Everything that was emitted, in order. */
  public List<Emitted> emitted() {
    return List.copyOf(emitted);
  }

  /** What was emitted to one output, as records; the main one is called "". */
  public List<Record<@Nullable Object, @Nullable Object>> output(String name) {
    return emitted.stream().filter(e -> e.output().equals(name)).map(Emitted::record).toList();
  }

  /** What was emitted to the main output since this was last asked, as text. */
  public List<String> read() {
    List<String> result = new ArrayList<>();
    for (; readTo < emitted.size(); readTo++) {
      if (emitted.get(readTo).output().isEmpty()) {
        result.add(emitted.get(readTo).record().toString());
      }
    }
    return result;
  }

  /** The node's books. */
  public NodeCounters counters() {
    return counters;
  }

  /** The operator's state. */
  public KeyedStates states() {
    return states;
  }

  /** How many tables of windows or slices exist. */
  public int liveWindows() {
    return states.sliceCount();
  }

  /** How many timers of event time are set. */
  public int eventTimers() {
    return timers.size(TimeDomain.EVENT);
  }

  private final class Target implements Output {
    private final String name;

    Target(String name) {
      this.name = name;
    }

    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers) {
      OperatorHarness.this.emit(name, key, value, timestampMillis, headers);
    }
  }

  private final class Context implements OperatorContext {
    @Override
    public boolean full() {
      return OperatorHarness.this.full();
    }

    @Override
    public String node() {
      return "node";
    }

    @Override
    public String job() {
      return "harness";
    }

    @Override
    public int taskIndex() {
      return 0;
    }

    @Override
    public int parallelism() {
      return 1;
    }

    @Override
    public Output output() {
      return new Target("");
    }

    @Override
    public Output output(String name) {
      return new Target(name);
    }

    @Override
    public KeyContext keyContext() {
      return keyContext;
    }

    @Override
    public NodeCounters counters() {
      return counters;
    }

    @Override
    public KeyedStates states() {
      return states;
    }

    @Override
    public Inferred valueForm(int input) {
      return valueForms.get(input);
    }

    @Override
    public Timers derivedTimers(TimerHandler handler) {
      timersAreDerived = true;
      return timers(handler);
    }

    @Override
    public Timers timers(TimerHandler handler) {
      timerHandler = handler;
      return timers;
    }

    @Override
    public void suspend() {
      suspended = true;
    }

    @Override
    public long watermark() {
      return watermark;
    }

    @Override
    public Clock clock() {
      return clock;
    }

    @Override
    public long jobTimeMillis() {
      return TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos());
    }
  }
}
