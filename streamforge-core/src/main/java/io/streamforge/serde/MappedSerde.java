package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.function.Function;

/**
 * Values written as values of another type, with that type's bytes and schema.
 *
 * @param <T> the type
 * @param <F> the type that is written
 */
record MappedSerde<T, F>(
    String name,
    Serde<F> form,
    Function<? super T, ? extends F> to,
    Function<? super F, ? extends T> from)
    implements Serde<T> {
  @Override
  public void write(T value, ByteWriter output) {
    form.write(written(value), output);
  }

  /** The value that is written as this. */
  F written(T value) {
    return apply(to, value, "written");
  }

  @Override
  public T read(ByteReader input) {
    return back(form.read(input));
  }

  /** The value of what was written. */
  T back(F written) {
    return apply(from, written, "read");
  }

  private <A, B> B apply(Function<? super A, ? extends B> function, A value, String what) {
    try {
      B result = function.apply(value);
      if (result == null) {
        throw new NullPointerException("the function returned null");
      }
      return result;
    } catch (StreamForgeException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a " + name + " cannot be " + what + ": " + e.getMessage(),
          e);
    }
  }

  @Override
  public boolean deterministic() {
    return form.deterministic();
  }

  @Override
  public Schema schema() {
    return form.schema();
  }

  @Override
  public String toString() {
    return name;
  }
}
