package io.streamforge.operator.table;

import io.streamforge.operator.Values;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** The latest value of a key, or that it was deleted, and since when. Changed in place. */
@Specialised
public final class TableRow {
  /** Null: deleted. */
  public @Nullable Object value;

  /** Time of the update. */
  public long timeMillis;

  /** A value. */
  public TableRow(@Nullable Object value, long timeMillis) {
    this.value = value;
    this.timeMillis = timeMillis;
  }

  /** With values of this form; missing when that is. */
  static Inferred form(Inferred values) {
    if (!(values instanceof Inferred.Found found)) {
      return values;
    }
    Serde<Object> serde = Values.cast(found.serde());
    return new Inferred.Found(
        Serdes.<TableRow, KeyValue<Long, Object>>mapped(
            "row of " + serde.name(),
            Serdes.keyValue(Serdes.longs(), serde),
            row -> KeyValue.of(row.timeMillis, Values.cast(row.value)),
            pair -> new TableRow(pair.value(), pair.key())));
  }
}
