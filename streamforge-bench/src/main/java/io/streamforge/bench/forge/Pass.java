package io.streamforge.bench.forge;

import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;

/** Passes the amount of a click on and keeps no state; makes an exchange by key necessary. */
final class Pass implements Processor<Long, Click, Long, Long> {
  @Override
  public void process(Long user, Click click, ProcessorContext<Long, Long> context) {
    context.emit(user, click.amount());
  }
}
