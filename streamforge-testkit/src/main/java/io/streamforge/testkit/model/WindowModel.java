package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.window.Windows;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a window node must do with given events, for every kind of window, trigger of the engine,
 * lateness and mode of accumulation.
 *
 * @param windowing the windows
 * @param bySlice whether the records of a window are folded slice by slice in the order of time, as
 *     the slice form does, or all in the order of arrival; of no matter for sessions, whose records
 *     come in the order of time
 * @param hash of keys, which decides the order of timers
 * @param aggregate the result over the values of some records
 */
public record WindowModel(
    Node.Windowing windowing,
    boolean bySlice,
    ToLongFunction<Object> hash,
    Function<List<@Nullable Object>, @Nullable Object> aggregate) {
  /** What must happen. */
  public Outcome run(List<OperatorEvent> events) {
    return windowing.windows() instanceof Windows.SessionWindows
        ? new SessionRun(windowing, hash, aggregate).run(events)
        : new FixedWindowRun(windowing, bySlice, hash, aggregate).run(events);
  }
}
