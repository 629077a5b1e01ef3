package io.streamforge.checkpoint;

import io.streamforge.serde.ByteReader;

/** Reads what a {@link FieldWriter} has written, field by field. */
final class FieldReader {
  private final ByteReader input;
  private int tag;

  FieldReader(ByteReader input) {
    this.input = input;
  }

  /** Number of the next field; 0: no more. Its {@link #content} is read before the next call. */
  int next() {
    tag = input.readVarInt();
    return tag >>> 1;
  }

  /** Content of the field in hand. */
  ByteReader content() {
    int length = input.readCount();
    return new ByteReader(input.readBytes(length));
  }

  /** The field in hand is not known here. */
  void unknown() {
    if ((tag & 1) != 0) {
      throw new UnknownFieldException(tag >>> 1);
    }
    content();
  }

  /** A later version has written what this one must not ignore. */
  static final class UnknownFieldException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int field;

    UnknownFieldException(int field) {
      super("unknown field " + field);
      this.field = field;
    }
  }
}
