package io.streamforge.backend;

/** Takes the bytes of a {@link KeyedSnapshot}. */
public interface SnapshotOutput {
  /**
   * Appends a chunk of whole entries to a part. The parts come one after the other, in their order.
   *
   * @param part index of the part
   * @param chunk belongs to the output from now on
   */
  void write(int part, byte[] chunk);
}
