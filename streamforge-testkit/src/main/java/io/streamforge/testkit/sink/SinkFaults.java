package io.streamforge.testkit.sink;

/**
 * Asked at each call of a {@link MarkedSink} that has an effect outside, once before and once
 * behind it; throws what shall go wrong there. An error, such as the death of a process, leaves the
 * job as little time to react as the real one.
 */
@FunctionalInterface
public interface SinkFaults {
  /** Nothing goes wrong. */
  SinkFaults NONE = (call, moment, writer, checkpoint) -> {};

  /** What is called. */
  enum Call {
    /** What was written is made part of a checkpoint. */
    PREPARE,
    /** It is made visible, be it by a writer or by a start. */
    COMMIT,
    /** Earlier processes are shut out. */
    FENCE,
    /** What they prepared and nobody needs is removed; then the commits follow. */
    RECOVER
  }

  /** When the call is cut off. */
  enum Moment {
    /** It has had no effect. */
    BEFORE,
    /** It has had its effect, and nobody is told. */
    BEHIND
  }

  /**
   * May throw.
   *
   * @param writer its id; empty for {@link Call#FENCE} and {@link Call#RECOVER}
   * @param checkpoint of the output; 0 for these
   */
  void at(Call call, Moment moment, String writer, long checkpoint) throws Exception;
}
