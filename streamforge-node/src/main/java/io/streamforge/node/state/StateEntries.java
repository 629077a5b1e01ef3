package io.streamforge.node.state;

import io.streamforge.backend.Entries;
import io.streamforge.backend.EntrySchema;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.PieceChunks;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.runtime.task.SavedTimers;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The entries of a state, or of one slice of it, or the timers of one domain, as they are when all
 * pieces of its chains have been applied. Keys and values are handed out as they are stored, since
 * that is what makes two of them the same.
 */
final class StateEntries {
  /*
   * A chain is read into memory, as bytes: the entries of one range of groups. What was put last
   * counts, whichever piece it is in; entries of other groups do not.
   */
  private final CheckpointLog log;
  private final int groups;
  private final String node;
  private final Manifest.StatePart part;
  private final EntrySchema schema;
  private final ValueReader<Object> keys;
  private final ValueReader<Object> values;

  private StateEntries(CheckpointLog log, int groups, String node, Manifest.StatePart part) {
    this.log = log;
    this.groups = groups;
    this.node = node;
    this.part = part;
    this.schema = EntrySchema.read(part.schema().bytes());
    this.keys = delimited(schema.keys());
    Schema stored = schema.values();
    this.values = stored == null ? this::readLongs : delimited(stored);
  }

  /** Whether these are in a form of which the entries can be read. */
  static boolean canRead(Manifest.StatePart part) {
    return part.form().equals(Entries.FORM) || isTimers(part);
  }

  /** Whether these are timers; the time is the last part of their keys, and they have no value. */
  static boolean isTimers(Manifest.StatePart part) {
    return part.form().equals(SavedTimers.FORM);
  }

  /**
   * Those of a part of a node in a checkpoint.
   *
   * @param groups number of key groups of the checkpoint
   * @throws StreamForgeException when a newer version has written them
   */
  static StateEntries of(CheckpointLog log, int groups, String node, Manifest.StatePart part) {
    try {
      return new StateEntries(log, groups, node, part);
    } catch (StreamForgeException e) {
      throw named(e, node, part);
    }
  }

  private static ValueReader<Object> delimited(Schema schema) {
    return Serdes.delimited(schema.reader(), schema);
  }

  private Object readLongs(ByteReader input) {
    long[] longs = new long[schema.columns()];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = input.readLong();
    }
    return longs;
  }

  /**
   * Hands out all entries, in no particular order.
   *
   * @param visitor takes key and value; false: it wants no more
   * @return false when it did not want all
   * @throws StreamForgeException when what is stored is damaged
   */
  boolean forEach(BiPredicate<byte[], byte[]> visitor) {
    for (Manifest.Chain chain : part.chains()) {
      Map<ByteBuffer, byte[]> entries;
      try {
        entries = read(chain);
      } catch (StreamForgeException e) {
        throw e.code() == ErrorCode.SERDE_FAILED ? named(e, node, part) : e;
      }
      for (Map.Entry<ByteBuffer, byte[]> entry : entries.entrySet()) {
        if (!visitor.test(entry.getKey().array(), entry.getValue())) {
          return false;
        }
      }
    }
    return true;
  }

  private Map<ByteBuffer, byte[]> read(Manifest.Chain chain) {
    Map<ByteBuffer, byte[]> entries = new LinkedHashMap<>();
    boolean timers = isTimers(part);
    PieceChunks chunks = new PieceChunks(log, chain.pieces());
    for (byte[] chunk; (chunk = chunks.next()) != null; ) {
      ByteReader input = new ByteReader(chunk);
      while (input.remaining() > 0) {
        int tag = timers ? Entries.PUT : input.readByte();
        int keyAt = input.position();
        keys.read(input);
        int keyEnd = input.position();
        if (timers) {
          input.readLong();
        }
        int valueAt = input.position();
        if (tag == Entries.PUT && !timers) {
          values.read(input);
        } else if (tag != Entries.PUT && tag != Entries.REMOVED) {
          throw new StreamForgeException(
              ErrorCode.SERDE_FAILED,
              ErrorContext.NONE,
              "an entry has the tag " + tag + ", which this version does not know");
        }
        ByteBuffer key = ByteBuffer.wrap(Arrays.copyOfRange(chunk, keyAt, valueAt));
        if (tag == Entries.REMOVED) {
          entries.remove(key);
        } else if (counts(chain, chunk, keyAt, keyEnd)) {
          entries.put(key, Arrays.copyOfRange(chunk, valueAt, input.position()));
        }
      }
    }
    return entries;
  }

  private boolean counts(Manifest.Chain chain, byte[] chunk, int keyAt, int keyEnd) {
    ByteReader key = new ByteReader(chunk, keyAt, keyEnd - keyAt);
    if (schema.keys() instanceof Schema.Opaque) {
      key.readCount();
    }
    int group = KeyGroups.of(KeyKinds.hash(schema.keys(), key), groups);
    return group >= chain.groups().first() && group < chain.groups().end();
  }

  private static StreamForgeException named(
      StreamForgeException e, String node, Manifest.StatePart part) {
    return new StreamForgeException(
        e.code(),
        ErrorContext.node(node),
        "state '" + part.state() + "': " + e.summary(),
        e.remedy(),
        e);
  }

  /** Schema of keys and values. */
  EntrySchema schema() {
    return schema;
  }

  /** A key. */
  JsonNode key(byte[] key) {
    return JsonValues.of(keys.read(new ByteReader(key)), schema.keys());
  }

  /** When a timer is to fire. */
  long timeMillis(byte[] key) {
    return new ByteReader(key, key.length - Long.BYTES, Long.BYTES).readLong();
  }

  /** A value: of one long a number; of several an object where they have names, else an array. */
  JsonNode value(byte[] value) {
    Object read = values.read(new ByteReader(value));
    Schema stored = schema.values();
    if (stored != null) {
      return JsonValues.of(read, stored);
    }
    long[] longs = (long[]) read;
    if (longs.length == 1) {
      return JsonNodeFactory.instance.numberNode(longs[0]);
    }
    List<String> names = schema.columnNames();
    if (!names.isEmpty()) {
      ObjectNode named = JsonNodeFactory.instance.objectNode();
      for (int i = 0; i < longs.length; i++) {
        named.put(names.get(i), longs[i]);
      }
      return named;
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    for (long each : longs) {
      all.add(each);
    }
    return all;
  }
}
