package io.streamforge.serde;

import java.util.ArrayList;
import java.util.List;

/** Several values one after the other; its schema is that of a structure with numbered fields. */
final class TupleSerde implements Serde<Object[]> {
  private static final String NAME = "Tuple";

  private final Serde<Object>[] elements;
  private final Serde<Object>[] delimited;

  @SuppressWarnings("unchecked") // each serde meets only the elements at its index
  TupleSerde(List<? extends Serde<?>> elements) {
    this.elements = elements.toArray(Serde[]::new);
    this.delimited = elements.stream().map(FramedSerde::part).toArray(Serde[]::new);
  }

  @Override
  public void write(Object[] values, ByteWriter output) {
    for (int i = 0; i < elements.length; i++) {
      delimited[i].write(values[i], output);
    }
  }

  @Override
  public Object[] read(ByteReader input) {
    Object[] values = new Object[elements.length];
    for (int i = 0; i < elements.length; i++) {
      values[i] = delimited[i].read(input);
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
    return new Schema.Structure(NAME, fields);
  }

  @Override
  public Reading<Object[]> reading(Schema stored) {
    if (!(stored instanceof Schema.Structure tuple)
        || !tuple.name().equals(NAME)
        || tuple.fields().size() != elements.length) {
      return Serde.super.reading(stored);
    }
    List<ValueReader<?>> readers = new ArrayList<>();
    boolean asStored = true;
    for (int i = 0; i < elements.length; i++) {
      Schema before = tuple.fields().get(i).schema();
      Reading<Object> reading = elements[i].reading(before);
      if (!(reading instanceof Reading.Readable<Object> readable)) {
        return new Reading.Refused<>(((Reading.Refused<Object>) reading).mismatches());
      }
      readers.add(Serdes.delimited(readable.reader(), before));
      asStored &= readable.asStored();
    }
    return new Reading.Readable<>(
        input -> {
          Object[] values = new Object[readers.size()];
          for (int i = 0; i < values.length; i++) {
            values[i] = readers.get(i).read(input);
          }
          return values;
        },
        asStored);
  }
}
