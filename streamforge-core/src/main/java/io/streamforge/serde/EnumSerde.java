package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Enum constants by name, so that they may be reordered and added to. */
final class EnumSerde<E extends Enum<E>> implements Serde<E> {
  private final Class<E> type;
  private final Map<String, E> constants = new LinkedHashMap<>();

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
          "enum " + type.getName() + " has no constant '" + shortened(name) + "', which was stored",
          "Put the constant back, under its old name, for as long as stored values have it.",
          null);
    }
    return constant;
  }

  /** A name that may be damaged, for a message. */
  static String shortened(String name) {
    return name.length() <= 60 ? name : name.substring(0, 60) + "…";
  }

  Class<E> type() {
    return type;
  }

  /** The constant of this name; null when there is none. */
  @Nullable E constant(String name) {
    return constants.get(name);
  }

  /** The constant that declares to have had this name; null when none does. */
  @Nullable E successor(String name) {
    for (E constant : constants.values()) {
      try {
        if (Member.earlierNames(type.getField(constant.name())).contains(name)) {
          return constant;
        }
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException(e);
      }
    }
    return null;
  }

  @Override
  public Schema.Enumeration schema() {
    return new Schema.Enumeration(type.getName(), List.copyOf(constants.keySet()));
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
