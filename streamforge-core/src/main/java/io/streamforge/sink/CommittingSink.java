package io.streamforge.sink;

import java.util.List;

/**
 * A sink whose output becomes visible with checkpoints, exactly once.
 *
 * <p>Terms: what a writer has written between two checkpoints is prepared as {@linkplain
 * Committable committables}, which are part of the checkpoint. Once that checkpoint is published it
 * exists, whatever dies, and the committables are <em>committed</em>: their output becomes visible.
 * The <em>marker</em> of a writer is the highest checkpoint of which the system outside shows
 * output of this writer; the sink keeps it there, so that it is known whether a commit was cut off
 * or done.
 *
 * <p>At a start the engine calls {@link #fence} of all sinks of the job, then {@link #recover} of
 * all, then it opens the {@linkplain CommittingWriter writers}, each with its own order of calls.
 * It prepares and commits only in jobs with checkpoints, see {@link SinkContext#checkpointed()}.
 *
 * <p>A process that has lost the job to another one may sleep and wake up at any time. Before each
 * commit the engine makes sure that the process still owned the job after the checkpoint was
 * published, so a sleeper makes nothing visible that was not published; but it may write and
 * prepare, and it may be in the middle of a commit of what was published when another one repeats
 * it. Neither may do harm: names of what is prepared must differ between processes, and a commit
 * must do nothing where it is done already.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface CommittingSink<K, V> extends Sink<K, V> {
  @Override
  CommittingWriter<K, V> writer(SinkContext context) throws Exception;

  /**
   * Shuts earlier processes out, where the system outside can do that, and says what they have
   * shown. Nothing that is prepared is forgotten and nothing becomes visible: when a sink of the
   * job shows output of a later checkpoint than the one that was restored, the start ends here, and
   * the later one may be repaired.
   *
   * @param context of the job; its task is 0
   * @param writers as for {@link #recover}
   * @return for each writer of which output is found the highest checkpoint that was committed,
   *     also of writers that the checkpoint does not have
   * @throws Exception when that cannot be found out; the job does not start
   */
  List<WriterMarker> fence(SinkContext context, List<WriterState> writers) throws Exception;

  /**
   * Puts the system outside in the state that a checkpoint says, before any record is read: makes
   * all committables visible that are not, in their order, and forgets whatever else was prepared.
   * Called once in a start, behind {@link #fence}, and both again when the process dies in it,
   * however often; the same checkpoint may be restored at any later time, too.
   *
   * @param context of the job; its task is 0
   * @param writers of the checkpoint that the job goes on from, whatever their number was then;
   *     empty when the job begins anew. The job goes on with as many as it has tasks
   * @param ownership to be asked before anything is removed, about what was there before the
   *     question: this process may have slept since it took the job over, and what it finds may be
   *     what its successor has prepared. A successor that comes after the answer fences this one in
   *     turn
   * @throws Exception when output is lost or cannot be made visible; the job does not start
   */
  void recover(SinkContext context, List<WriterState> writers, Ownership ownership)
      throws Exception;
}
