package io.streamforge.serde;

import java.util.Optional;

/** A byte that says whether there is a value, and the value. */
record OptionalSerde<T>(Serde<T> value) implements Serde<Optional<T>> {
  OptionalSerde {
    value = FramedSerde.part(value);
  }

  @Override
  public void write(Optional<T> optional, ByteWriter output) {
    output.writeBoolean(optional.isPresent());
    if (optional.isPresent()) {
      value.write(optional.get(), output);
    }
  }

  @Override
  public Optional<T> read(ByteReader input) {
    return input.readBoolean() ? Optional.of(value.read(input)) : Optional.empty();
  }

  @Override
  public boolean deterministic() {
    return value.deterministic();
  }

  @Override
  public Schema schema() {
    return new Schema.OptionalValue(value.schema());
  }

  @Override
  public String name() {
    return "optional<" + value.name() + ">";
  }

  @Override
  public String toString() {
    return name();
  }
}
