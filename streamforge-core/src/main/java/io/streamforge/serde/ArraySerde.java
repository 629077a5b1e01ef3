package io.streamforge.serde;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An array of objects, element by element; may hold nulls. */
final class ArraySerde<T> implements Serde<T[]> {
  private final Class<T> elementType;
  private final Serde<T> elements;

  ArraySerde(Class<T> elementType, Serde<T> elements) {
    this.elementType = elementType;
    this.elements = elements;
  }

  @Override
  public void write(T[] value, ByteWriter output) {
    Elements.write(value.length, Arrays.asList(value), elements, output);
  }

  @Override
  @SuppressWarnings("unchecked")
  public T[] read(ByteReader input) {
    List<T> list = new ArrayList<>();
    Elements.read(list, elements, input);
    return list.toArray((T[]) Array.newInstance(elementType, list.size()));
  }

  @Override
  public boolean deterministic() {
    return elements.deterministic();
  }

  @Override
  public String name() {
    return elements.name() + "[]";
  }

  @Override
  public String toString() {
    return name();
  }
}
