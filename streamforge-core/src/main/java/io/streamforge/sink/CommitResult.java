package io.streamforge.sink;

/** What came of a commit. */
public sealed interface CommitResult {
  /** It has become visible now. */
  record Committed() implements CommitResult {}

  /** It had become visible before, whether or not somebody has taken it away since. */
  record AlreadyCommitted() implements CommitResult {}

  /**
   * It was not made visible and never can be: what was prepared is gone. The engine stops the job.
   *
   * @param what which output, and where it was
   */
  record Lost(String what) implements CommitResult {}
}
