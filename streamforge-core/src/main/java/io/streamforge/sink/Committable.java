package io.streamforge.sink;

import java.util.Arrays;

/**
 * Output that is prepared and not yet visible: a note that a checkpoint keeps, by which its sink
 * can make it visible. Immutable.
 *
 * @param checkpoint the checkpoint that it was prepared for; later ones may carry it
 * @param content what the sink needs to know; its own business, and small
 */
public record Committable(long checkpoint, byte[] content) {
  /** Of a checkpoint, with a copy of the content. */
  public Committable {
    if (checkpoint < 1) {
      throw new IllegalArgumentException("checkpoints are numbered from 1: " + checkpoint);
    }
    content = content.clone();
  }

  /** A copy of the content. */
  @Override
  public byte[] content() {
    return content.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Committable that
        && checkpoint == that.checkpoint
        && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(checkpoint) + Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return "committable of checkpoint " + checkpoint + ", " + content.length + " bytes";
  }
}
