package io.streamforge.sink;

import java.util.List;

/**
 * What a checkpoint holds of a writer.
 *
 * @param writer its id: the index of its task as a decimal number
 * @param marker the last checkpoint that it was known to have committed; 0: none
 * @param committables in the order in which they are to be committed; some of them, from the first
 *     on, may have been committed since
 */
public record WriterState(String writer, long marker, List<Committable> committables) {
  /** A copy. */
  public WriterState {
    committables = List.copyOf(committables);
  }
}
