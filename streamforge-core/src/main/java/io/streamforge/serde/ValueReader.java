package io.streamforge.serde;

/**
 * Reads values of one type, from one form of bytes. Stateless and thread-safe.
 *
 * @param <T> the type; never null
 */
@FunctionalInterface
public interface ValueReader<T> {
  /**
   * Reads a value and stops behind it.
   *
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SERDE_FAILED} when the bytes are not what is expected
   */
  T read(ByteReader input);
}
