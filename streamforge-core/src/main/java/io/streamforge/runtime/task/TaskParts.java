package io.streamforge.runtime.task;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.Output;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.time.Clock;
import java.util.List;

/** Makes what stands around a node's operator on the way of every record. */
public interface TaskParts {
  /** Those of a node in the job's own classes. */
  static TaskParts of(NodeClasses classes, String node) {
    return classes.instance(node, TaskParts.class, NodeTaskParts.class);
  }

  /**
   * The operator with something in front that holds records while it has work in hand.
   *
   * @param held where those of each input are kept
   */
  Operator holding(Operator operator, KeyContext keyContext, Gate gate, Overflow[] held);

  /** Counts what the node with these counters emits to another operator of the task. */
  Output counting(NodeCounters counters, Operator next);

  /** From the node with these counters to any number of outputs. */
  Output fanOut(NodeCounters counters, KeyContext keyContext, List<Output> outputs);

  /**
   * From the node with these counters to the channels of an exchange by key.
   *
   * @param taskOfGroup index of the channel for each key group
   */
  TaskOutput byKey(Channel<Batch>[] channels, int[] taskOfGroup, SendingTask task);

  /** In turns, beginning behind {@code first}. */
  TaskOutput inTurns(Channel<Batch>[] channels, int first, SendingTask task);

  /** To the only channel. */
  TaskOutput forward(Channel<Batch> channel, SendingTask task);

  /**
   * The input that reads these channels.
   *
   * @param heads what follows each
   * @param senders of each
   * @param inlets the exchange of each; channels of one exchange stand together
   * @param holds whether a channel that has brought a barrier waits for the others
   * @param clock tells when barriers come
   */
  TaskInput input(
      Channel<Batch>[] channels,
      Output[] heads,
      Sender[] senders,
      List<Inlet> inlets,
      boolean holds,
      KeyContext keyContext,
      Gate gate,
      Clock clock);

  /**
   * What the end of an exchange needs of its task.
   *
   * @param counters of the node whose output is sent
   * @param held where records are held that find no credit
   */
  record SendingTask(KeyContext keyContext, NodeCounters counters, Gate gate, Overflow held) {}
}
