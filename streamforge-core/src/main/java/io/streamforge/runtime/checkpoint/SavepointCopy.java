package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.FrameWriter;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.PieceChunks;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.runtime.task.SavedCommittable;
import io.streamforge.serde.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a checkpoint whose output has been committed into a place of its own, where it needs
 * nothing else: each chain becomes one piece. Its entry in the log of that place comes last.
 */
final class SavepointCopy {
  private final CheckpointLog source;
  private final LogEntry.Published checkpoint;
  private final CheckpointPlace target;
  private int objects;

  SavepointCopy(CheckpointLog source, LogEntry.Published checkpoint, CheckpointPlace target) {
    this.source = source;
    this.checkpoint = checkpoint;
    this.target = target;
  }

  /**
   * Copies it.
   *
   * @throws StreamForgeException when something is at the place already, or what is copied is
   *     damaged
   */
  void run(long nowMillis) throws IOException {
    if (target.log().read().last() != 0) {
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          ErrorContext.position(target.log().location()),
          "there is a savepoint, or the beginning of one, in " + target.log().location(),
          "Name an empty place for each savepoint.",
          null);
    }
    LogOwner owner = target.log().claim(target.tokens().getAsLong(), target.owner(), 1, nowMillis);
    owner.begin(0, checkpoint.number() - 1);
    List<Manifest.NodePart> nodes = new ArrayList<>();
    for (Manifest.NodePart node : checkpoint.manifest().nodes()) {
      nodes.add(copy(node, owner));
    }
    owner.sync();
    owner.publish(
        new Manifest(checkpoint.manifest().groups(), checkpoint.manifest().jobTimeMillis(), nodes),
        nowMillis);
  }

  private Manifest.NodePart copy(Manifest.NodePart node, LogOwner owner) throws IOException {
    if (!node.inFlight().isEmpty()) {
      throw new IllegalStateException(
          "checkpoint " + checkpoint.number() + " of a savepoint has overtaken records");
    }
    List<Manifest.StatePart> states = new ArrayList<>();
    if (!node.states().isEmpty()) {
      String object = owner.dataName(checkpoint.number(), "savepoint-" + objects++);
      try (FrameWriter output = owner.write(object)) {
        for (Manifest.StatePart state : node.states()) {
          List<Manifest.Chain> chains = new ArrayList<>();
          for (Manifest.Chain chain : state.chains()) {
            copy(chain, output);
            chains.add(
                new Manifest.Chain(
                    chain.groups(),
                    List.of(new Manifest.Piece(object, output.endSegment())),
                    chain.entries()));
          }
          states.add(
              new Manifest.StatePart(
                  state.state(), state.slice(), state.schema(), state.form(), chains));
        }
        output.finish();
      }
    }
    return new Manifest.NodePart(
        node.node(),
        states,
        node.times(),
        node.splits(),
        node.operators(),
        List.of(),
        node.writers().stream().map(SavepointCopy::committed).toList());
  }

  private void copy(Manifest.Chain chain, FrameWriter output) throws IOException {
    PieceChunks chunks = new PieceChunks(source, chain.pieces());
    ByteWriter length = new ByteWriter();
    for (byte[] chunk; (chunk = chunks.next()) != null; ) {
      length.reset();
      length.writeInt(chunk.length);
      output.write(length.buffer(), 0, length.size());
      output.write(chunk, 0, chunk.length);
    }
  }

  private static Manifest.WriterPart committed(Manifest.WriterPart writer) {
    long marker = writer.marker();
    for (var committable : writer.committables()) {
      marker = Math.max(marker, SavedCommittable.read(committable).checkpoint());
    }
    return new Manifest.WriterPart(writer.writer(), marker, List.of());
  }
}
