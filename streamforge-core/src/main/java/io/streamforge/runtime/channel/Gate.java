package io.streamforge.runtime.channel;

/**
 * Whether the operators of a task may go on: closed while an output has no room, or while an
 * operator has work in hand that must be resumed before the next record. One field, so that the
 * driver reads it after each record for nothing. Used by the task's thread only.
 */
public final class Gate {
  /** Not to go on with the next record. */
  public boolean closed;

  private int fullOutputs;
  private boolean suspended;

  /** An output has run out of room. */
  public void outputFull() {
    fullOutputs++;
    closed = true;
  }

  /** An output has room again. */
  public void outputFree() {
    fullOutputs--;
    closed = suspended || fullOutputs > 0;
  }

  /** Whether the operators are to stop: an output has no room, or one has work in hand. */
  public boolean closed() {
    return closed;
  }

  /** Whether an output has no room. */
  public boolean full() {
    return fullOutputs > 0;
  }

  /** An operator has work in hand. */
  public void suspend() {
    suspended = true;
    closed = true;
  }

  /** No operator has work in hand any more. */
  public void resumed() {
    suspended = false;
    closed = fullOutputs > 0;
  }

  /** Whether an operator has work in hand. */
  public boolean suspended() {
    return suspended;
  }
}
