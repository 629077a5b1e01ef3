package io.streamforge.runtime.task;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.CountingOutput;
import io.streamforge.operator.FanOutOutput;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.ExchangeOutput;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.serde.KeyGroups;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.Clock;
import java.util.List;

/** Makes the parts in the classes of its own node. */
@Specialised
public final class NodeTaskParts implements TaskParts {
  @Override
  public Operator holding(Operator operator, KeyContext keyContext, Gate gate, Overflow[] held) {
    return HoldingOperator.isNeededFor(operator)
        ? new HoldingOperator(operator, keyContext, gate, held)
        : operator;
  }

  @Override
  public Output counting(NodeCounters counters, Operator next) {
    return new CountingOutput(counters, next);
  }

  @Override
  public Output fanOut(NodeCounters counters, KeyContext keyContext, List<Output> outputs) {
    return new FanOutOutput(counters, keyContext, outputs);
  }

  @Override
  public TaskOutput byKey(Channel<Batch>[] channels, int[] taskOfGroup, SendingTask task) {
    int groups = taskOfGroup.length;
    return exchange(channels, hash -> taskOfGroup[KeyGroups.of(hash, groups)], task);
  }

  @Override
  public TaskOutput inTurns(Channel<Batch>[] channels, int first, SendingTask task) {
    int[] turn = {first};
    return exchange(channels, hash -> turn[0] = (turn[0] + 1) % channels.length, task);
  }

  @Override
  public TaskOutput forward(Channel<Batch> channel, SendingTask task) {
    return exchange(Values.cast(new Channel<?>[] {channel}), hash -> 0, task);
  }

  private static TaskOutput exchange(
      Channel<Batch>[] channels, ExchangeOutput.Router router, SendingTask task) {
    return new ExchangeOutput(
        channels, router, task.keyContext(), task.counters(), task.gate(), task.held());
  }

  @Override
  public TaskInput input(
      Channel<Batch>[] channels,
      Output[] heads,
      Sender[] senders,
      List<Inlet> inlets,
      boolean holds,
      KeyContext keyContext,
      Gate gate,
      Clock clock) {
    return new ChannelInput(channels, heads, senders, inlets, holds, keyContext, gate, clock);
  }
}
