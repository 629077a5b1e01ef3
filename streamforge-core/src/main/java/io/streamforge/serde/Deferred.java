package io.streamforge.serde;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The reader of a type that contains itself, where it does. Bounds how deep values may nest. */
final class Deferred<T> implements ValueReader<T> {
  private @Nullable ValueReader<? extends T> target;

  /** Sets what this stands for, before it is used. */
  void bind(ValueReader<? extends T> reader) {
    target = reader;
  }

  @Override
  public T read(ByteReader input) {
    input.descend();
    try {
      return Objects.requireNonNull(target).read(input);
    } finally {
      input.ascend();
    }
  }
}
