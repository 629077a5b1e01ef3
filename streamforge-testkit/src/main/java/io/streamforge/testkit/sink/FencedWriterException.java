package io.streamforge.testkit.sink;

/** A later start has recovered the sink: the writer is that of a process that should be dead. */
public final class FencedWriterException extends Exception {
  private static final long serialVersionUID = 1L;

  FencedWriterException(String writer) {
    super("writer " + writer + " is of an earlier start");
  }
}
