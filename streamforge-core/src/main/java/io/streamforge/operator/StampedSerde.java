package io.streamforge.operator;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.TimeDomain;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stamp and a value. Also reads values without a stamp, or with one of the other kind of
 * time.
 */
@Specialised
final class StampedSerde<T> implements Serde<Stamped<T>> {
  /** Of the structure; no class is called so. */
  private static final String NAME = "time-stamped";

  private static final String VALUE = "value";

  private final Serde<T> values;

  /** How a value is written behind its stamp. */
  private final Serde<T> delimited;

  private final String stampName;
  private final LongSupplier now;

  /**
   * Stamped values.
   *
   * @param domain which kind of time stamps are
   * @param now the stamp of what has none
   */
  StampedSerde(Serde<T> values, TimeDomain domain, LongSupplier now) {
    this.values = values;
    this.delimited = Serdes.delimited(values);
    this.stampName = stampName(domain);
    this.now = now;
  }

  /** What a stamp is called where it is stored. */
  static String stampName(TimeDomain domain) {
    return domain == TimeDomain.EVENT ? "eventTimeMillis" : "jobTimeMillis";
  }

  @Override
  public void write(Stamped<T> value, ByteWriter output) {
    output.writeSignedVarLong(value.stampMillis);
    delimited.write(value.value, output);
  }

  @Override
  public Stamped<T> read(ByteReader input) {
    long stampMillis = input.readSignedVarLong();
    return new Stamped<>(delimited.read(input), stampMillis);
  }

  @Override
  public boolean deterministic() {
    return values.deterministic();
  }

  @Override
  public String name() {
    return NAME + "<" + values.name() + ">";
  }

  @Override
  public Schema schema() {
    return new Schema.Structure(
        NAME,
        List.of(
            new Schema.Field(stampName, false, Serdes.longs().schema()),
            new Schema.Field(VALUE, false, values.schema())));
  }

  @Override
  public Reading<Stamped<T>> reading(Schema stored) {
    List<Schema.Field> fields = fields(stored);
    Schema storedValues = fields == null ? stored : fields.get(1).schema();
    Reading<T> reading = values.reading(storedValues);
    if (reading instanceof Reading.Refused<T> refused) {
      return new Reading.Refused<>(refused.mismatches());
    }
    Reading.Readable<T> readable = (Reading.Readable<T>) reading;
    if (fields == null) {
      return Reading.converted(
          input -> new Stamped<>(readable.reader().read(input), now.getAsLong()));
    }
    boolean sameTime = fields.get(0).name().equals(stampName);
    if (sameTime && readable.asStored()) {
      return Reading.asStored(this);
    }
    ValueReader<T> reader = Serdes.delimited(readable.reader(), storedValues);
    return Reading.converted(
        input -> {
          long stampMillis = input.readSignedVarLong();
          T value = reader.read(input);
          return new Stamped<>(value, sameTime ? stampMillis : now.getAsLong());
        });
  }

  private static @Nullable List<Schema.Field> fields(Schema stored) {
    return stored instanceof Schema.Structure structure && structure.name().equals(NAME)
        ? structure.fields()
        : null;
  }
}
