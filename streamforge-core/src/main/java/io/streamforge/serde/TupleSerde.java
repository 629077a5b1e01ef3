package io.streamforge.serde;

import java.util.ArrayList;
import java.util.List;

/** Several values one after the other; its schema is that of a structure with numbered fields. */
final class TupleSerde implements Serde<Object[]> {
  private final Serde<Object>[] elements;

  @SuppressWarnings("unchecked") // each serde meets only the elements at its index
  TupleSerde(List<? extends Serde<?>> elements) {
    this.elements = elements.stream().map(FramedSerde::part).toArray(Serde[]::new);
  }

  @Override
  public void write(Object[] values, ByteWriter output) {
    for (int i = 0; i < elements.length; i++) {
      elements[i].write(values[i], output);
    }
  }

  @Override
  public Object[] read(ByteReader input) {
    Object[] values = new Object[elements.length];
    for (int i = 0; i < elements.length; i++) {
      values[i] = elements[i].read(input);
    }
    return values;
  }

  @Override
  public boolean deterministic() {
    for (Serde<?> element : elements) {
      if (!element.deterministic()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String name() {
    StringBuilder name = new StringBuilder("tuple<");
    for (int i = 0; i < elements.length; i++) {
      name.append(i == 0 ? "" : ", ").append(elements[i].name());
    }
    return name.append('>').toString();
  }

  @Override
  public Schema schema() {
    List<Schema.Field> fields = new ArrayList<>();
    for (int i = 0; i < elements.length; i++) {
      fields.add(new Schema.Field(String.valueOf(i + 1), false, elements[i].schema()));
    }
    return new Schema.Structure("Tuple", fields);
  }
}
