package io.streamforge.checkpoint;

import java.util.Arrays;

/** Bytes as a value, whose meaning is somebody else's business. Immutable. */
public final class Blob {
  private final byte[] bytes;

  private Blob(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of these bytes. */
  public static Blob of(byte... bytes) {
    return new Blob(bytes.clone());
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Number of bytes. */
  public int size() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Blob blob && Arrays.equals(bytes, blob.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
