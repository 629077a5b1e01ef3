package io.streamforge.serde;

import io.streamforge.serde.Reading.Mismatch;
import org.jspecify.annotations.Nullable;

/**
 * Where in a value a part is.
 *
 * @param path the way to it; empty for the value itself
 * @param stored the innermost structure around it, as stored; null when there is none
 * @param expected the same as it is now
 */
record Place(String path, @Nullable Schema stored, @Nullable Schema expected) {
  static final Place ROOT = new Place("", null, null);

  boolean isRoot() {
    return path.isEmpty();
  }

  Place inside(String part) {
    return new Place(path.isEmpty() ? part : path + " > " + part, stored, expected);
  }

  Place within(Schema nowStored, Schema nowExpected) {
    return new Place(path, nowStored, nowExpected);
  }

  Mismatch mismatch(Schema part, Schema expectedPart, String reason, String remedy) {
    return new Mismatch(
        path,
        (stored == null ? part : stored).toString(),
        (expected == null ? expectedPart : expected).toString(),
        reason,
        remedy);
  }

  /** What a part that decided for itself found. */
  Mismatch around(Mismatch inner) {
    String where = inner.where();
    return new Mismatch(
        path.isEmpty() || where.isEmpty() ? path + where : path + " > " + where,
        inner.stored(),
        inner.expected(),
        inner.reason(),
        inner.remedy());
  }
}
