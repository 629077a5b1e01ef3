package io.streamforge.serde;

import java.time.DateTimeException;

/** The serde of a type without parts, given by what it writes and reads. Deterministic. */
record Scalar<T>(String name, Writing<T> writing, Reading<T> reading) implements Serde<T> {
  /** Appends a value. */
  interface Writing<T> {
    void write(T value, ByteWriter output);
  }

  /**
   * Reads a value; one that cannot exist may be any of the exceptions that {@link #read} catches.
   */
  interface Reading<T> {
    T read(ByteReader input);
  }

  @Override
  public void write(T value, ByteWriter output) {
    writing.write(value, output);
  }

  @Override
  public T read(ByteReader input) {
    try {
      return reading.read(input);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw ByteReader.malformed(
          "the bytes are not a value of type " + name + ": " + e.getMessage());
    }
  }

  @Override
  public Schema.Basic schema() {
    return new Schema.Basic(name);
  }

  @Override
  public boolean deterministic() {
    return true;
  }

  @Override
  public String toString() {
    return name;
  }
}
