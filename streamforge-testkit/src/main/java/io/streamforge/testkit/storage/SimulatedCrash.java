package io.streamforge.testkit.storage;

/** The process that made the call has died. An error, so that nobody handles it. */
public final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;

  SimulatedCrash(String call) {
    super("the process died in " + call);
  }
}
