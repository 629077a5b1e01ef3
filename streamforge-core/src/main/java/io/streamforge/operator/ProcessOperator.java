package io.streamforge.operator;

import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.Clock;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.TimerService;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hosts a user's {@link Processor}: keys in hand, timers, state, outputs. */
@Specialised
public final class ProcessOperator implements Operator, TimerHandler {
  private final Processor<Object, Object, Object, Object> processor;
  private final OperatorContext context;
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Timers timers;
  private final Clock clock;

  /** Null where no state expires. */
  private final @Nullable ExpiringContent expiring;

  private final StateReaders readers;

  private final Map<String, Output> sideOutputs = new HashMap<>();
  private final View view = new View();

  private boolean opened;
  private Object key = "";
  private long hash;
  private long timestampMillis;
  private @Nullable Headers headers;

  /** Works for one task. */
  public ProcessOperator(
      Processor<Object, Object, Object, Object> processor, OperatorContext context) {
    this.processor = processor;
    this.context = context;
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.timers = context.timers(this);
    this.clock = context.clock();
    ScopedStates states = new ScopedStates(context);
    processor.states(states);
    this.expiring = states.expiring();
    this.readers = states.readers();
  }

  @Override
  public void open() throws Exception {
    opened = true;
    processor.open();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    take(Values.cast(key), timestampMillis, headers);
    if (expiring != null) {
      expiring.onRecord(timestampMillis);
    }
    processor.process(this.key, Values.cast(value), view);
    counters.processed++;
  }

  @Override
  public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
      throws Exception {
    take(key, timeMillis, null);
    if (expiring != null) {
      expiring.onTimer(domain, timeMillis);
    }
    processor.onTimer(key, timeMillis, domain, view);
  }

  @Override
  public void onWatermark(long watermark) {
    if (expiring != null) {
      expiring.onWatermark(watermark);
    }
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis) {
    return readers.read(state, key, hash, eventTimeMillis);
  }

  private void take(Object key, long timestampMillis, @Nullable Headers headers) {
    this.key = key;
    this.hash = keyContext.hash;
    this.timestampMillis = timestampMillis;
    this.headers = headers;
    keyContext.key = key;
  }

  @Override
  public void close() throws Exception {
    // A job that could not start closes operators that it has never opened.
    if (opened) {
      processor.close();
    }
  }

  private final class View implements ProcessorContext<Object, Object>, TimerService {
    @Override
    public long timestampMillis() {
      return timestampMillis;
    }

    @Override
    public @Nullable Headers headers() {
      return headers;
    }

    @Override
    public long watermarkMillis() {
      return context.watermark();
    }

    @Override
    public long processingTimeMillis() {
      return clock.wallMillis();
    }

    @Override
    public TimerService timers() {
      return this;
    }

    @Override
    public void emit(Object newKey, Object value) {
      emit(output, newKey, value, timestampMillis, headers);
    }

    @Override
    public void emit(Object newKey, Object value, long newTimestampMillis) {
      emit(output, newKey, value, newTimestampMillis, headers);
    }

    @Override
    public <K, V> void emit(SideOutput<K, V> side, K newKey, V value) {
      emit(
          sideOutputs.computeIfAbsent(side.name(), context::output),
          newKey,
          value,
          timestampMillis,
          headers);
    }

    private void emit(
        Output to,
        @Nullable Object newKey,
        @Nullable Object value,
        long newTimestampMillis,
        @Nullable Headers newHeaders) {
      try {
        to.process(newKey, value, newTimestampMillis, newHeaders);
      } catch (Exception e) {
        throw Rethrow.unchecked(e);
      }
      // What is downstream may have set the task's key in hand to its own.
      keyContext.key = key;
      keyContext.hash = hash;
    }

    @Override
    public void setEventTimer(long timeMillis) {
      timers.set(TimeDomain.EVENT, timeMillis, key, hash, TimerScope.KEY);
    }

    @Override
    public void setProcessingTimer(long timeMillis) {
      timers.set(TimeDomain.PROCESSING, timeMillis, key, hash, TimerScope.KEY);
    }

    @Override
    public void deleteEventTimer(long timeMillis) {
      timers.delete(TimeDomain.EVENT, timeMillis, key, hash, TimerScope.KEY);
    }

    @Override
    public void deleteProcessingTimer(long timeMillis) {
      timers.delete(TimeDomain.PROCESSING, timeMillis, key, hash, TimerScope.KEY);
    }
  }
}
