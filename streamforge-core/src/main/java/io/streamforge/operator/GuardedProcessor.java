package io.streamforge.operator;

import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.StateDeclarations;
import io.streamforge.time.TimeDomain;

/** A processor that may reject a record or a timer. */
@Specialised
final class GuardedProcessor implements Processor<Object, Object, Object, Object> {
  private final Processor<Object, Object, Object, Object> inner;
  private final Guard.Thrown thrown;

  GuardedProcessor(Processor<Object, Object, Object, Object> inner, Guard.Thrown thrown) {
    this.inner = inner;
    this.thrown = thrown;
  }

  @Override
  public void states(StateDeclarations states) {
    inner.states(states);
  }

  @Override
  public void open() throws Exception {
    inner.open();
  }

  @Override
  public void process(Object key, Object value, ProcessorContext<Object, Object> context) {
    try {
      inner.process(key, value, context);
    } catch (Exception e) {
      throw thrown.instead(e);
    }
  }

  @Override
  public void onTimer(
      Object key, long timerMillis, TimeDomain domain, ProcessorContext<Object, Object> context) {
    try {
      inner.onTimer(key, timerMillis, domain, context);
    } catch (Exception e) {
      throw thrown.instead(e);
    }
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
