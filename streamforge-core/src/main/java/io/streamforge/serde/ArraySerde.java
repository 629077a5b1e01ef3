package io.streamforge.serde;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An array of objects, element by element; may hold nulls. */
final class ArraySerde<T> implements Serde<T[]> {
  static final String KIND = "array";

  private final Class<T> elementType;
  private final Serde<T> elements;

  ArraySerde(Class<T> elementType, Serde<T> elements) {
    this.elementType = elementType;
    this.elements = FramedSerde.part(elements);
  }

  @Override
  public void write(T[] value, ByteWriter output) {
    Elements.write(value.length, Arrays.asList(value), elements, output);
  }

  @Override
  public T[] read(ByteReader input) {
    return read(elements, null, input);
  }

  /** Reads with another reader of elements; see {@link Elements#read}. */
  @SuppressWarnings("unchecked")
  T[] read(
      ValueReader<? extends T> reader, @Nullable Supplier<? extends T> ofNull, ByteReader input) {
    List<T> list = new ArrayList<>();
    Elements.read(list, reader, ofNull, input);
    return list.toArray((T[]) Array.newInstance(elementType, list.size()));
  }

  Serde<T> elements() {
    return elements;
  }

  @Override
  public Schema.Sequence schema() {
    return new Schema.Sequence(KIND, elements.schema());
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
