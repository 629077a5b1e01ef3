package io.streamforge.runtime.task;

import io.streamforge.checkpoint.Blob;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.sink.Committable;

/** A committable in manifests: the checkpoint that it was prepared for, and its content. */
public final class SavedCommittable {
  private SavedCommittable() {}

  static Blob write(Committable committable) {
    ByteWriter output = new ByteWriter();
    output.writeVarLong(committable.checkpoint());
    byte[] content = committable.content();
    output.writeBytes(content, 0, content.length);
    return Blob.of(output.toByteArray());
  }

  /** The committable that was written. */
  public static Committable read(Blob blob) {
    ByteReader input = new ByteReader(blob.bytes());
    long checkpoint = input.readVarLong();
    return new Committable(checkpoint, input.readBytes(input.remaining()));
  }
}
