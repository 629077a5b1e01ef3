package io.streamforge.runtime.source;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.runtime.task.TaskInput;
import java.util.List;

/** An input that reads the splits of a source. */
public interface SplitInput extends TaskInput {
  /**
   * Adds splits, with the event time that they have reached; after the last ones the input ends
   * when they have.
   */
  void addSplits(List<Manifest.SplitPart> splits, boolean last);

  /** Any thread: the source has something to read. The task is woken apart from this. */
  void sourceWoken();
}
