package io.streamforge.serde;

import org.jspecify.annotations.Nullable;

/**
 * A part of a schema and what is around it, so that references lead somewhere. Compared by
 * identity: a reference leads to the very object that was entered.
 */
final class Stored {
  private final Schema schema;

  /** The innermost structure or union around. */
  private final @Nullable Stored scope;

  private Stored(Schema schema, @Nullable Stored scope) {
    this.schema = schema;
    this.scope = scope;
  }

  static Stored root(Schema schema) {
    return new Stored(schema, null);
  }

  /** What it is; not a reference. */
  Schema schema() {
    return schema;
  }

  /** A part of this, or what the part refers to. */
  Stored part(Schema part) {
    boolean named = schema instanceof Schema.Structure || schema instanceof Schema.Union;
    Stored around = named ? this : scope;
    if (!(part instanceof Schema.Reference reference)) {
      return new Stored(part, around);
    }
    Stored target = around;
    for (int level = 1; level < reference.levels() && target != null; level++) {
      target = target.scope;
    }
    if (target == null) {
      throw ByteReader.malformed("a schema refers to level " + reference.levels() + " of fewer");
    }
    return target;
  }
}
