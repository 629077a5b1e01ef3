package io.streamforge.operator.window;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Results that a record or a timer has brought about and that are to be emitted before the next
 * one, as there is room. At most a few for each window of a record.
 */
@Specialised
public final class ResultQueue {
  private record Result(Object key, long hash, Windowed<Object> value, long timestampMillis) {}

  private final OperatorContext context;
  private final Output output;
  private final KeyContext keyContext;
  private final ArrayDeque<Result> results = new ArrayDeque<>();

  /** Emits on the main output. */
  public ResultQueue(OperatorContext context) {
    this.context = context;
    this.output = context.output();
    this.keyContext = context.keyContext();
  }

  /** Appends one. */
  public void add(Object key, long hash, Window window, @Nullable Object result) {
    results.add(new Result(key, hash, new Windowed<>(window, result), window.lastMillis()));
  }

  /** Appends the retraction of {@code vanished}, which the result of {@code instead} follows. */
  public void retract(Object key, long hash, Window vanished, Window instead) {
    results.add(new Result(key, hash, new Windowed<>(vanished, null), instead.lastMillis()));
  }

  /** Whether none is left. */
  public boolean isEmpty() {
    return results.isEmpty();
  }

  /** Emits while there is room, and suspends the task when some are left. */
  public void emitOrSuspend() throws Exception {
    if (!results.isEmpty()) {
      emit(Integer.MAX_VALUE);
      if (!results.isEmpty()) {
        context.suspend();
      }
    }
  }

  /** Emits up to {@code limit} while there is room; how many it could have emitted besides. */
  public int emit(int limit) throws Exception {
    int left = limit;
    while (left > 0 && !results.isEmpty() && !context.full()) {
      Result result = results.remove();
      keyContext.key = result.key;
      keyContext.hash = result.hash;
      output.process(result.key, result.value, result.timestampMillis, null);
      left--;
    }
    return left;
  }
}
