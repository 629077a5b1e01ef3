package io.streamforge.serde;

/**
 * Turns values of one type into bytes and back. Stateless and thread-safe.
 *
 * @param <T> the type; never null
 */
public interface Serde<T> {
  /** Appends the value. */
  void write(T value, ByteWriter output);

  /** Reads a value that {@link #write} has written. */
  T read(ByteReader input);

  /**
   * Whether equal values always have the same bytes, in every JVM and at every time. Keys need such
   * a serde, since the bytes are what makes two keys the same.
   */
  boolean deterministic();

  /** Name of the form for people, such as {@code list<string>}. */
  String name();
}
