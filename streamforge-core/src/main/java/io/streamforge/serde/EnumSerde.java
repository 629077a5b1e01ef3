package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.HashMap;
import java.util.Map;

/** Enum constants by name, so that they may be reordered and added to. */
final class EnumSerde<E extends Enum<E>> implements Serde<E> {
  private final Class<E> type;
  private final Map<String, E> constants = new HashMap<>();

  EnumSerde(Class<E> type) {
    this.type = type;
    for (E constant : type.getEnumConstants()) {
      constants.put(constant.name(), constant);
    }
  }

  @Override
  public void write(E value, ByteWriter output) {
    output.writeString(value.name());
  }

  @Override
  public E read(ByteReader input) {
    String name = input.readString();
    E constant = constants.get(name);
    if (constant == null) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "enum " + type.getName() + " has no constant '" + name + "', which was stored",
          "Put the constant back, under its old name, for as long as stored values have it.",
          null);
    }
    return constant;
  }

  @Override
  public boolean deterministic() {
    return true;
  }

  @Override
  public String name() {
    return type.getName();
  }

  @Override
  public String toString() {
    return name();
  }
}
