package io.streamforge.runtime.task;

import io.streamforge.specialise.Specialised;

/**
 * Which inputs of a task wait for the others, so that a checkpoint has exactly the records that
 * came before its barrier: an input that has brought the barrier is held until all inputs have that
 * have not ended.
 */
// A barrier of a later checkpoint supersedes an earlier one, whose barrier may have waited unread
// in a channel while the checkpoint was given up.
@Specialised
public final class BarrierAligner {
  private final boolean holds;
  private final boolean[] brought;
  private final boolean[] ended;
  private int missing;
  private long aligning;
  private long settled;

  /**
   * Of this many inputs, none of which has ended.
   *
   * @param holds whether an input that has brought a barrier is held; otherwise the checkpoint also
   *     has what comes on it until all have, and a restart brings that once more
   */
  public BarrierAligner(int inputs, boolean holds) {
    this.holds = holds;
    brought = new boolean[inputs];
    ended = new boolean[inputs];
    missing = inputs;
  }

  /** Whether the input is not to be read. */
  public boolean held(int input) {
    return holds && brought[input];
  }

  /** Whether the input has brought the barrier of a checkpoint that is not settled. */
  public boolean hasBrought(int input, long checkpoint) {
    return brought[input] && aligning == checkpoint;
  }

  /** An input has brought the barrier of a checkpoint. */
  public void barrier(int input, long checkpoint) {
    if (checkpoint <= settled || checkpoint < aligning) {
      return;
    }
    if (checkpoint > aligning) {
      release();
      aligning = checkpoint;
    }
    if (!brought[input] && !ended[input]) {
      brought[input] = true;
      missing--;
    }
  }

  /** An input has ended; it will bring no barrier. */
  public void end(int input) {
    if (!ended[input] && !brought[input]) {
      missing--;
    }
    ended[input] = true;
  }

  /** The checkpoint of which a barrier has come and others may be missing; 0: none. */
  public long aligning() {
    return aligning;
  }

  /** The checkpoint whose barrier all inputs have; 0 when they do not. */
  public long complete() {
    return missing == 0 ? aligning : 0;
  }

  /** All checkpoints up to this one have been taken or given up: what they held goes on. */
  public void settle(long checkpoint) {
    settled = Math.max(settled, checkpoint);
    if (aligning <= settled) {
      release();
    }
  }

  private void release() {
    aligning = 0;
    missing = 0;
    for (int i = 0; i < brought.length; i++) {
      brought[i] = false;
      missing += ended[i] ? 0 : 1;
    }
  }
}
