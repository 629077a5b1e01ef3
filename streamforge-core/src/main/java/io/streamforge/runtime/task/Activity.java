package io.streamforge.runtime.task;

/** What a part does on its way through a checkpoint. */
public enum Activity {
  /** It has not come to it: it is in a call that does not return, or waits for its turn. */
  ELSEWHERE,
  /** Barriers are on their way to it, behind what was sent before them. */
  BARRIER,
  /** A writer writes what was sent before the barrier. */
  WRITE,
  /** Its output finds no room. */
  ROOM,
  /** An operator has work in hand: a record with much output, or windows that close. */
  WORK,
  /** The output of a sink is prepared, so that it can be committed. */
  PREPARE,
  /** The state is marked, and what is not keyed is copied. */
  FREEZE,
  /** The state is serialised, between records that are processed. */
  SERIALISE,
  /** The storage takes it. */
  STORE
}
