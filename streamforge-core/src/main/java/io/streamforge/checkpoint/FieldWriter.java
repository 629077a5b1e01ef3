package io.streamforge.checkpoint;

import io.streamforge.serde.ByteWriter;
import java.util.function.Consumer;

/**
 * Writes a structure as numbered fields, so that later versions can add some: {@code (number,
 * essential) length content … 0}. A reader skips a field that it does not know, unless that is
 * essential. A field may come several times. Numbers are never used for something else.
 */
final class FieldWriter {
  private final ByteWriter output;

  FieldWriter(ByteWriter output) {
    this.output = output;
  }

  /** A field that every reader has to know. */
  FieldWriter essential(int field, Consumer<ByteWriter> content) {
    return write(field << 1 | 1, content);
  }

  /** A field that a reader may pass over. */
  FieldWriter optional(int field, Consumer<ByteWriter> content) {
    return write(field << 1, content);
  }

  private FieldWriter write(int tag, Consumer<ByteWriter> content) {
    ByteWriter inner = new ByteWriter();
    content.accept(inner);
    output.writeVarInt(tag);
    output.writeVarInt(inner.size());
    output.writeBytes(inner.buffer(), 0, inner.size());
    return this;
  }

  /** No further fields. */
  void end() {
    output.writeVarInt(0);
  }
}
