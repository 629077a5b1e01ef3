package io.streamforge.serde;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A type inside itself: stands for the serde of the whole. Bounds how deep values may nest, so that
 * neither deep values nor damaged bytes use up the stack.
 */
final class RecursiveSerde<T> implements Serde<T> {
  private final String name;
  private final int levels;
  private @Nullable Serde<T> whole;

  /**
   * For a type.
   *
   * @param levels see {@link Schema.Reference}
   */
  RecursiveSerde(String name, int levels) {
    this.name = name;
    this.levels = levels;
  }

  /** Sets what this stands for, before it is used. */
  @SuppressWarnings("unchecked")
  void bind(Serde<?> serde) {
    whole = (Serde<T>) serde;
  }

  Serde<T> whole() {
    return Objects.requireNonNull(whole);
  }

  @Override
  public void write(T value, ByteWriter output) {
    output.descend();
    try {
      whole().write(value, output);
    } finally {
      output.ascend();
    }
  }

  @Override
  public T read(ByteReader input) {
    input.descend();
    try {
      return whole().read(input);
    } finally {
      input.ascend();
    }
  }

  /** As far as this part is concerned; the whole looks at its other parts. */
  @Override
  public boolean deterministic() {
    return true;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Schema schema() {
    return new Schema.Reference(levels);
  }

  @Override
  public String toString() {
    return name;
  }
}
