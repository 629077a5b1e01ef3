package io.streamforge.error;

import io.streamforge.sink.Sink;
import java.util.Objects;
import java.util.function.Function;

/**
 * What becomes of a record that a function, a decoder or a sink rejects. Immutable; set for a whole
 * topology or for a node of it, where it counts more.
 */
public sealed interface ErrorPolicy {
  /** The job fails; what holds where nothing is said. */
  record Fail() implements ErrorPolicy {}

  /** The record is dropped, counted, and logged at a bounded rate. */
  record Skip() implements ErrorPolicy {}

  /**
   * The record goes to a sink, as {@link DeadLetter} says, and is counted.
   *
   * @param sinkOf the sink for a node; called once for each when the topology is built
   */
  record ToDeadLetters(Function<String, ? extends Sink<? super byte[], ? super byte[]>> sinkOf)
      implements ErrorPolicy {
    /** With the function. */
    public ToDeadLetters {
      Objects.requireNonNull(sinkOf, "sinkOf");
    }
  }

  /** The job fails. */
  static ErrorPolicy fail() {
    return new Fail();
  }

  /** The record is dropped, counted, and logged. */
  static ErrorPolicy skip() {
    return new Skip();
  }

  /**
   * The record goes to this sink. Where several nodes have the policy, each writes it by itself:
   * the sink must bear that, as {@code Sinks.stdout} does and files of one directory do not.
   */
  static ErrorPolicy deadLetter(Sink<? super byte[], ? super byte[]> sink) {
    Objects.requireNonNull(sink, "sink");
    return new ToDeadLetters(node -> sink);
  }

  /**
   * The record goes to a sink that is made for its node, such as files of a directory of its own.
   *
   * @param sinkOf given the name of the node; must not return null
   */
  static ErrorPolicy deadLetters(
      Function<String, ? extends Sink<? super byte[], ? super byte[]>> sinkOf) {
    return new ToDeadLetters(sinkOf);
  }
}
