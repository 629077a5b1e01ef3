package io.streamforge.operator.join;

import io.streamforge.operator.Values;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.specialise.Specialised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a key as a structure; what it can read depends on the values of both sides.
 */
@Specialised
final class JoinRowsSerde implements Serde<JoinRows> {
  private static final String NAME = "JoinRows";
  private static final int IS_NULL = 1;

  private final Serde<Object> left;
  private final Serde<Object> right;

  private JoinRowsSerde(Serde<Object> left, Serde<Object> right) {
    this.left = Serdes.delimited(left);
    this.right = Serdes.delimited(right);
  }

  /** With values of these forms; missing when one is. */
  static Inferred form(Inferred left, Inferred right) {
    if (!(left instanceof Inferred.Found ofLeft)) {
      return left;
    }
    return right instanceof Inferred.Found ofRight
        ? new Inferred.Found(
            new JoinRowsSerde(Values.cast(ofLeft.serde()), Values.cast(ofRight.serde())))
        : right;
  }

  @Override
  public void write(JoinRows rows, ByteWriter output) {
    output.writeSignedVarLong(rows.closedMillis);
    write(rows.of(JoinRows.LEFT), left, output);
    write(rows.of(JoinRows.RIGHT), right, output);
  }

  private static void write(Rows rows, Serde<Object> values, ByteWriter output) {
    output.writeListSize(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Object value = rows.value(i);
      output.writeByte(value == null ? IS_NULL : 0);
      output.writeSignedVarLong(rows.time(i));
      output.writeBoolean(rows.matched(i));
      if (value != null) {
        values.write(value, output);
      }
    }
  }

  @Override
  public JoinRows read(ByteReader input) {
    return read(left, right, input);
  }

  private static JoinRows read(
      ValueReader<Object> left, ValueReader<Object> right, ByteReader input) {
    long closedMillis = input.readSignedVarLong();
    Rows ofLeft = readRows(left, input);
    return new JoinRows(closedMillis, ofLeft, readRows(right, input));
  }

  private static Rows readRows(ValueReader<Object> values, ByteReader input) {
    Rows rows = new Rows();
    for (int i = input.readListSize(); i > 0; i--) {
      boolean isNull = input.readByte() == IS_NULL;
      long timeMillis = input.readSignedVarLong();
      boolean matched = input.readBoolean();
      rows.add(timeMillis, isNull ? null : values.read(input), matched);
    }
    return rows;
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public String name() {
    return "rows of " + left.name() + " and of " + right.name();
  }

  @Override
  public Schema schema() {
    return schema(left.schema(), right.schema());
  }

  private static Schema schema(Schema left, Schema right) {
    return new Schema.Structure(
        NAME,
        List.of(
            new Schema.Field("closedMillis", false, Serdes.longs().schema()),
            new Schema.Field("left", false, rows(left)),
            new Schema.Field("right", false, rows(right))));
  }

  private static Schema rows(Schema values) {
    return new Schema.Sequence(
        "list",
        new Schema.Structure(
            "Row",
            List.of(
                new Schema.Field("timeMillis", false, Serdes.longs().schema()),
                new Schema.Field("matched", false, Serdes.booleans().schema()),
                new Schema.Field("value", true, values))));
  }

  @Override
  public Reading<JoinRows> reading(Schema stored) {
    Schema ofLeft = valuesOf(stored, 1);
    Schema ofRight = valuesOf(stored, 2);
    if (ofLeft == null || ofRight == null || !stored.equals(schema(ofLeft, ofRight))) {
      return Serde.super.reading(stored);
    }
    Reading<Object> readingLeft = left.reading(ofLeft);
    Reading<Object> readingRight = right.reading(ofRight);
    if (readingLeft instanceof Reading.Refused<Object> refused) {
      return new Reading.Refused<>(refused.mismatches());
    }
    if (readingRight instanceof Reading.Refused<Object> refused) {
      return new Reading.Refused<>(refused.mismatches());
    }
    Reading.Readable<Object> one = (Reading.Readable<Object>) readingLeft;
    Reading.Readable<Object> other = (Reading.Readable<Object>) readingRight;
    ValueReader<Object> readsLeft = Serdes.delimited(one.reader(), ofLeft);
    ValueReader<Object> readsRight = Serdes.delimited(other.reader(), ofRight);
    return new Reading.Readable<>(
        input -> read(readsLeft, readsRight, input), one.asStored() && other.asStored());
  }

  /** What a schema of this form says of the values of a side; null when it is of another form. */
  private static @Nullable Schema valuesOf(Schema stored, int field) {
    return stored instanceof Schema.Structure rows
            && rows.name().equals(NAME)
            && rows.fields().size() == 3
            && rows.fields().get(field).schema() instanceof Schema.Sequence list
            && list.elements() instanceof Schema.Structure row
            && row.fields().size() == 3
        ? row.fields().get(2).schema()
        : null;
  }
}
