package io.streamforge.operator;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import java.util.ArrayList;
import java.util.List;

/** Writes the longs of an {@link ArrayAggregator}: so many of them, with this meaning. */
@Specialised
final class LongsSerde implements Serde<long[]> {
  private final int columns;
  private final String form;

  LongsSerde(int columns, String form) {
    this.columns = columns;
    this.form = form;
  }

  @Override
  public void write(long[] value, ByteWriter output) {
    for (long each : value) {
      output.writeSignedVarLong(each);
    }
  }

  @Override
  public long[] read(ByteReader input) {
    long[] value = new long[columns];
    for (int i = 0; i < columns; i++) {
      value[i] = input.readSignedVarLong();
    }
    return value;
  }

  @Override
  public boolean deterministic() {
    return true;
  }

  @Override
  public String name() {
    return columns + " longs";
  }

  @Override
  public Schema schema() {
    List<Schema.Field> fields = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      fields.add(new Schema.Field(String.valueOf(i), false, Serdes.longs().schema()));
    }
    return new Schema.Structure(form.isEmpty() ? "longs" : form, fields);
  }
}
