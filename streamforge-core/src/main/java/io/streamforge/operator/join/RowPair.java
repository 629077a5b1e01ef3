package io.streamforge.operator.join;

import io.streamforge.operator.Values;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** The rows of two tables that have one key; null: none. Changed in place. */
@Specialised
public final class RowPair {
  /** Of the left table. */
  public @Nullable Object left;

  /** Of the right table. */
  public @Nullable Object right;

  /** A pair, one of which is there. */
  public RowPair(@Nullable Object left, @Nullable Object right) {
    this.left = left;
    this.right = right;
  }

  /** With rows of these forms; missing when one is. */
  static Inferred form(Inferred left, Inferred right) {
    if (!(left instanceof Inferred.Found ofLeft)) {
      return left;
    }
    if (!(right instanceof Inferred.Found ofRight)) {
      return right;
    }
    Serde<Object> lefts = Values.cast(ofLeft.serde());
    Serde<Object> rights = Values.cast(ofRight.serde());
    return new Inferred.Found(
        Serdes.<RowPair, KeyValue<Object, Object>>mapped(
            "rows of " + lefts.name() + " and " + rights.name(),
            Serdes.keyValue(lefts, rights),
            pair -> KeyValue.of(Values.cast(pair.left), Values.cast(pair.right)),
            pair -> new RowPair(pair.key(), pair.value())));
  }
}
