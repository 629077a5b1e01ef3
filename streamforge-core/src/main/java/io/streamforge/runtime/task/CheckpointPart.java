package io.streamforge.runtime.task;

/**
 * A task or writer, as the coordinator of checkpoints sees it. Calls come from one thread at a
 * time, and take effect in their order.
 */
public interface CheckpointPart {
  /** Unique within the job. */
  String id();

  /** Whether a checkpoint begins here: no barrier comes to it. */
  boolean isSource();

  /**
   * Asks for a checkpoint whose barrier does not come to the part: a source's, or one of a part
   * whose inputs have all ended.
   */
  void trigger(long checkpoint);

  /**
   * A checkpoint is to be taken at once, whatever barriers have come: what they overtake becomes
   * part of it. Parts that have taken it, sources and writers do nothing.
   */
  void overtake(long checkpoint);

  /** A source reads nothing from now on, or goes on; others do nothing. */
  void hold(boolean held);

  /**
   * A checkpoint has been published.
   *
   * @param last whether nothing comes after it: the part ends when it has acted on it
   */
  void published(long checkpoint, boolean last);

  /** A checkpoint has been given up, wherever it stands. */
  void abandoned(long checkpoint);

  /**
   * How far the part has come with the checkpoint that is in hand, or was last; a little late where
   * it has not reported yet. Any thread may ask.
   */
  PartProgress progress(long checkpoint);
}
