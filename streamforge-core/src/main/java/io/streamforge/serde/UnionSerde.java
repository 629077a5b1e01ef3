package io.streamforge.serde;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One of the subtypes of a sealed type: its simple name, then its value. By name and not by number,
 * so that subtypes may be added and moved while keys and stored bytes stay what they are.
 */
final class UnionSerde<T> implements Serde<T> {
  /**
   * A subtype that can be instantiated.
   *
   * @param name its simple name
   * @param type its class
   * @param serde of its objects
   */
  record Alternative(String name, Class<?> type, Serde<Object> serde) {
    /** Whether it had this name once. */
    boolean previously(String earlier) {
      return Member.earlierNames(type).contains(earlier);
    }
  }

  private final Class<T> type;
  private final Map<String, Alternative> byName = new LinkedHashMap<>();
  private final Map<Class<?>, Alternative> byClass = new HashMap<>();
  private final Map<String, Serde<Object>> serdes = new HashMap<>();
  private final boolean deterministic;

  /** A serde of a sealed type; the names of the alternatives differ. */
  UnionSerde(Class<T> type, List<Alternative> alternatives) {
    this.type = type;
    boolean all = true;
    for (Alternative alternative : alternatives) {
      byName.put(alternative.name(), alternative);
      byClass.put(alternative.type(), alternative);
      serdes.put(alternative.name(), alternative.serde());
      all &= alternative.serde().deterministic();
    }
    this.deterministic = all;
  }

  Class<T> type() {
    return type;
  }

  List<Alternative> alternatives() {
    return List.copyOf(byName.values());
  }

  @Override
  public void write(T value, ByteWriter output) {
    // A constant of an enum may be of a class of its own.
    Class<?> of =
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    Alternative alternative = byClass.get(of);
    if (alternative == null) {
      throw ByteReader.malformed(of.getName() + " is not a subtype of " + type.getName());
    }
    output.writeString(alternative.name());
    alternative.serde().write(value, output);
  }

  @Override
  @SuppressWarnings("unchecked")
  public T read(ByteReader input) {
    return (T) alternative(serdes, type.getName(), input).read(input);
  }

  /** The reader of the alternative whose name comes next. */
  static <R extends ValueReader<?>> R alternative(
      Map<String, R> readers, String union, ByteReader input) {
    String name = input.readString();
    R reader = readers.get(name);
    if (reader == null) {
      throw ByteReader.malformed(
          "'" + EnumSerde.shortened(name) + "' is not the name of a subtype of " + union);
    }
    return reader;
  }

  @Override
  public boolean deterministic() {
    return deterministic;
  }

  @Override
  public String name() {
    return type.getName();
  }

  @Override
  public Schema schema() {
    List<Schema.Alternative> alternatives = new ArrayList<>();
    byName.forEach(
        (name, alternative) ->
            alternatives.add(new Schema.Alternative(name, alternative.serde().schema())));
    return new Schema.Union(type.getName(), alternatives);
  }

  @Override
  public String toString() {
    return name();
  }
}
