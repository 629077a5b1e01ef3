package io.streamforge.serde;

/**
 * A serde of the user's own inside another form: the number of its bytes, then these. So its values
 * can be skipped and shown without it, and it cannot read beyond them.
 */
record FramedSerde<T>(Serde<T> inner) implements Serde<T> {
  /** The serde as a part of another: framed where only it knows where its bytes end. */
  static <T> Serde<T> part(Serde<T> serde) {
    boolean builtIn = serde instanceof FramedSerde<T> || serde instanceof RecursiveSerde<T>;
    return !builtIn && serde.schema() instanceof Schema.Opaque ? new FramedSerde<>(serde) : serde;
  }

  @Override
  public void write(T value, ByteWriter output) {
    int frame = output.beginFrame();
    inner.write(value, output);
    output.endFrame(frame);
  }

  @Override
  public T read(ByteReader input) {
    return read(inner, input);
  }

  /** Reads what is framed. */
  static <T> T read(ValueReader<T> reader, ByteReader input) {
    int outer = input.beginFrame();
    T value = reader.read(input);
    input.endFrame(outer);
    return value;
  }

  @Override
  public boolean deterministic() {
    return inner.deterministic();
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Schema schema() {
    return inner.schema();
  }

  @Override
  public String toString() {
    return name();
  }
}
