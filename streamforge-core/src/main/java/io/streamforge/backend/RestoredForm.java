package io.streamforge.backend;

import io.streamforge.error.ErrorContext;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import java.util.Objects;

/**
 * How the values of a snapshot become those of a store. Keys need nothing: one whose bytes would
 * become others is another key, and refused.
 *
 * @param reading of the stored values
 */
record RestoredForm<V>(Serde<V> values, Reading.Readable<V> reading) {
  /**
   * Of a snapshot with this schema.
   *
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#STATE_INCOMPATIBLE} when it does not fit
   */
  static <V> RestoredForm<V> of(EntrySchema stored, Serde<?> keys, Serde<V> values) {
    KeyKinds.reading(keys, stored.keys()).orThrow("the keys of a snapshot", ErrorContext.NONE);
    Schema ofValues = Objects.requireNonNull(stored.values());
    return new RestoredForm<>(
        values, values.reading(ofValues).orThrow("the values of a snapshot", ErrorContext.NONE));
  }

  /** The bytes of a value for the store. */
  byte[] value(byte[] stored) {
    return reading.asStored()
        ? stored
        : SerializedStore.bytes(values, reading.reader().read(new ByteReader(stored)));
  }
}
