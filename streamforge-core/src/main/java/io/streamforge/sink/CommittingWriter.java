package io.streamforge.sink;

import java.util.List;

/**
 * Writes the records of one task so that they become visible with checkpoints. Calls never overlap.
 *
 * <p>Call order with checkpoints: any number of {@link #write}, {@link #flush}, {@link #tick},
 * {@link #prepare} and {@link #commit}; {@link #finish} behind the last record; one more {@link
 * #prepare}, and commits; then {@link #close}, which may also come at any time before. Without
 * checkpoints as every {@link SinkWriter}.
 */
public interface CommittingWriter<K, V> extends SinkWriter<K, V> {
  /**
   * Makes all that was written since the last call part of a checkpoint, and shows none of it. When
   * this returns, it is durable, and the committables hold what is needed to make it visible, also
   * by another process, on another machine.
   *
   * <p>The checkpoint may never come about: then the engine carries its committables into the next
   * one, before those of that. The writer need not know.
   *
   * @param checkpoint number of the checkpoint; higher from call to call
   * @return in the order in which they are to be committed; empty when nothing was written
   * @throws Exception when it is not durable; the checkpoint does not come about then, and the
   *     writer is closed
   */
  List<Committable> prepare(long checkpoint) throws Exception;

  /**
   * Makes a committable of this writer visible. Comes after a checkpoint that has it was published,
   * in the order of preparation, and again when it failed or the process died in it.
   *
   * @throws Exception when it could not be made visible now; it is tried again
   */
  CommitResult commit(Committable committable) throws Exception;
}
