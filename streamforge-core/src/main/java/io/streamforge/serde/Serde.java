package io.streamforge.serde;

/**
 * Turns values of one type into bytes and back. Stateless and thread-safe.
 *
 * <p>A serde of your own implements {@link #write}, {@link #read}, {@link #deterministic} and
 * {@link #name}. When what it writes changes, it also declares a version with {@link #schema} and
 * reads the older ones in {@link #reading}.
 *
 * @param <T> the type; never null
 */
public interface Serde<T> extends ValueReader<T> {
  /** Appends the value. */
  void write(T value, ByteWriter output);

  /** Reads a value that {@link #write} has written. */
  @Override
  T read(ByteReader input);

  /**
   * Whether equal values always have the same bytes, in every JVM and at every time. Keys need such
   * a serde, since the bytes are what makes two keys the same.
   */
  boolean deterministic();

  /** Name of the form for people, such as {@code list<string>}. */
  String name();

  /**
   * What the bytes mean, to be stored beside them; the same for every value. Without anything else
   * said it is {@linkplain Schema#opaque opaque}, with the name of the form and version 1.
   */
  default Schema schema() {
    return Schema.opaque(name(), 1);
  }

  /**
   * How values that were stored with another schema are read as what this serde reads, or why they
   * cannot be. A serde of your own reads its own schema only, unless it says otherwise here.
   */
  default Reading<T> reading(Schema stored) {
    return Evolution.reading(this, stored);
  }
}
