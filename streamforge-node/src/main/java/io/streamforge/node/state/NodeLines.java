package io.streamforge.node.state;

import io.streamforge.checkpoint.Blob;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.runtime.task.SavedCommittable;
import io.streamforge.sink.Committable;
import io.streamforge.window.Window;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a node has in a checkpoint: a JSON object for each entry, timer, split and writer. */
public final class NodeLines {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final StoredCheckpoints stored;
  private final Manifest manifest;

  /** Of a checkpoint. */
  public NodeLines(StoredCheckpoints stored, LogEntry.Published checkpoint) {
    this.stored = stored;
    this.manifest = checkpoint.manifest();
  }

  /**
   * Makes the lines of a node.
   *
   * @param key the one whose entries and timers are wanted; null: all that the node has
   * @param lines takes a line; false: no more is wanted
   * @throws io.streamforge.error.StreamForgeException when what is stored is damaged or of a newer
   *     version
   */
  public void write(Manifest.NodePart node, @Nullable KeyMatcher key, Predicate<ObjectNode> lines) {
    if (key == null && !writeHead(node, lines)) {
      return;
    }
    for (Manifest.StatePart part : node.states()) {
      if (!writeState(node.node(), part, key, lines)) {
        return;
      }
    }
    if (key == null) {
      writeRest(node, lines);
    }
  }

  private static boolean writeHead(Manifest.NodePart node, Predicate<ObjectNode> lines) {
    for (Manifest.SplitPart split : node.splits()) {
      if (!lines.test(merged(splitId(split), split(split)))) {
        return false;
      }
    }
    for (Manifest.GroupTime time : node.times()) {
      ObjectNode line = JSON.objectNode();
      line.put("firstGroup", time.groups().first()).put("endGroup", time.groups().end());
      if (!lines.test(line.put("firedUpToMillis", time.firedUpToMillis()))) {
        return false;
      }
    }
    return true;
  }

  static ObjectNode splitId(Manifest.SplitPart split) {
    return JSON.objectNode().put("split", split.id());
  }

  static ObjectNode split(Manifest.SplitPart split) {
    return JSON.objectNode()
        .put("position", split.position())
        .put("watermarkMillis", split.watermarkMillis())
        .put("idle", split.idle())
        .put("finished", split.finished());
  }

  static ObjectNode writerId(Manifest.WriterPart writer) {
    return JSON.objectNode().put("writer", writer.writer());
  }

  static ObjectNode writer(Manifest.WriterPart writer) {
    ObjectNode line = JSON.objectNode().put("marker", writer.marker());
    ArrayNode committables = line.putArray("committables");
    for (Blob blob : writer.committables()) {
      Committable committable = SavedCommittable.read(blob);
      committables
          .addObject()
          .put("checkpoint", committable.checkpoint())
          .put("bytes", committable.content());
    }
    return line;
  }

  /** Both in one, which is made of the first. */
  static ObjectNode merged(ObjectNode id, ObjectNode content) {
    return id.setAll(content);
  }

  /** What names a state, and the slice of it. */
  static ObjectNode stateId(Manifest.StatePart part) {
    ObjectNode line = JSON.objectNode().put("state", part.state());
    Window slice = part.slice();
    if (slice != null) {
      line.putObject("slice")
          .put("startMillis", slice.startMillis())
          .put("endMillis", slice.endMillis());
    }
    return line;
  }

  /** What names an entry or a timer. */
  static ObjectNode entryId(StateEntries entries, Manifest.StatePart part, byte[] key) {
    ObjectNode line = stateId(part);
    line.set("key", entries.key(key));
    if (StateEntries.isTimers(part)) {
      line.put("timeMillis", entries.timeMillis(key));
    }
    return line;
  }

  /** What an entry has besides; nothing for a timer. */
  static ObjectNode entry(StateEntries entries, Manifest.StatePart part, byte[] value) {
    ObjectNode line = JSON.objectNode();
    return StateEntries.isTimers(part) ? line : line.set("value", entries.value(value));
  }

  private boolean writeState(
      String node, Manifest.StatePart part, @Nullable KeyMatcher key, Predicate<ObjectNode> lines) {
    if (!StateEntries.canRead(part)) {
      return key != null || lines.test(merged(stateId(part), unread(part)));
    }
    StateEntries entries = StateEntries.of(stored.log(), manifest.groups(), node, part);
    return entries.forEach(
        (k, v) -> {
          if (key != null && !key.matches(entries.key(k))) {
            return true;
          }
          return lines.test(merged(entryId(entries, part, k), entry(entries, part, v)));
        });
  }

  /** What is said of a state whose entries cannot be read. */
  static ObjectNode unread(Manifest.StatePart part) {
    return JSON.objectNode().put("form", part.form()).put("size", size(part));
  }

  /** Bytes of a state, as they are stored. */
  private static long size(Manifest.StatePart part) {
    return part.chains().stream()
        .flatMap(chain -> chain.pieces().stream())
        .mapToLong(piece -> piece.segment().length())
        .sum();
  }

  private static void writeRest(Manifest.NodePart node, Predicate<ObjectNode> lines) {
    for (Manifest.OperatorPart part : node.operators()) {
      ObjectNode line = JSON.objectNode().put("operatorState", part.name());
      line.put("task", part.task()).put("size", part.piece().segment().length());
      if (!lines.test(line)) {
        return;
      }
    }
    for (Manifest.InFlightPart part : node.inFlight()) {
      ObjectNode line = JSON.objectNode().put("inFlightFrom", part.from());
      line.put("firstGroup", part.groups().first()).put("endGroup", part.groups().end());
      if (!lines.test(line.put("size", part.piece().segment().length()))) {
        return;
      }
    }
    for (Manifest.WriterPart writer : node.writers()) {
      if (!lines.test(merged(writerId(writer), writer(writer)))) {
        return;
      }
    }
  }
}
