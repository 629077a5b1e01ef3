package io.streamforge.checkpoint;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.storage.CheckpointStorage;
import java.io.IOException;

/** The name and the binary form of entries of the log. */
final class LogEntryForm {
  static final String FOLDER = "log";

  private static final int DIGITS = 19;

  // Fields of an entry.
  private static final int KIND = 1;
  private static final int NUMBER = 2;
  private static final int ATTEMPT = 3;
  private static final int TOKEN = 4;
  private static final int CREATED = 5;
  private static final int OWNER = 6;
  private static final int REASON = 7;
  private static final int PARENT = 8;
  private static final int OLDEST_RETAINED = 9;
  private static final int MANIFEST = 10;
  private static final int POSITION = 11;

  // Kinds.
  private static final int CLAIM = 1;
  private static final int PUBLISHED = 2;
  private static final int ABORTED = 3;

  private LogEntryForm() {}

  /** The object that holds an entry; names sort as positions do. */
  static String name(long position) {
    String digits = Long.toString(position);
    return FOLDER + "/" + "0".repeat(DIGITS - digits.length()) + digits;
  }

  /** Position of the entry in an object; -1 when its name is not that of an entry. */
  static long position(String name) {
    String digits = name.substring(FOLDER.length() + 1);
    if (digits.length() != DIGITS || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static byte[] encode(LogEntry entry) {
    ByteWriter writer = new ByteWriter();
    FieldWriter fields = new FieldWriter(writer);
    int kind =
        entry instanceof LogEntry.Claim
            ? CLAIM
            : entry instanceof LogEntry.Aborted ? ABORTED : PUBLISHED;
    fields.essential(KIND, o -> o.writeVarInt(kind));
    fields.essential(POSITION, o -> o.writeVarLong(entry.position()));
    fields.essential(NUMBER, o -> o.writeVarLong(entry.number()));
    fields.essential(ATTEMPT, o -> o.writeVarLong(entry.attempt()));
    fields.essential(TOKEN, o -> o.writeLong(entry.token()));
    fields.optional(CREATED, o -> o.writeSignedVarLong(entry.createdMillis()));
    if (entry instanceof LogEntry.Claim claim) {
      fields.optional(OWNER, o -> o.writeString(claim.owner()));
    } else if (entry instanceof LogEntry.Aborted aborted) {
      fields.optional(REASON, o -> o.writeString(aborted.reason()));
    } else if (entry instanceof LogEntry.Published published) {
      fields.essential(PARENT, o -> o.writeVarLong(published.parent()));
      fields.essential(OLDEST_RETAINED, o -> o.writeVarLong(published.oldestRetained()));
      fields.essential(MANIFEST, o -> ManifestForm.write(published.manifest(), o));
    }
    fields.end();
    return Frames.encode(name(entry.position()), FrameKind.LOG_ENTRY, writer.toByteArray());
  }

  /**
   * Reads an entry.
   *
   * @throws DamagedObjectException when it is missing or damaged
   * @throws StreamForgeException when a newer version wrote it
   */
  static LogEntry read(CheckpointStorage storage, long position) throws IOException {
    String name = name(position);
    byte[] content = Frames.decode(storage, name, FrameKind.LOG_ENTRY);
    try {
      LogEntry entry = decode(content);
      if (entry.position() != position) {
        throw new IllegalArgumentException("it is entry " + entry.position());
      }
      return entry;
    } catch (FieldReader.UnknownFieldException e) {
      throw CheckpointErrors.newerField(storage, name, e.field);
    } catch (IllegalArgumentException e) {
      throw unreadable(storage, name, String.valueOf(e.getMessage()), e);
    } catch (StreamForgeException e) {
      throw unreadable(storage, name, e.summary(), e);
    }
  }

  private static DamagedObjectException unreadable(
      CheckpointStorage storage, String name, String why, RuntimeException e) {
    return new DamagedObjectException(
        storage.location(), name, "is whole but cannot be understood: " + why, e);
  }

  private static LogEntry decode(byte[] content) {
    FieldReader fields = new FieldReader(new ByteReader(content));
    int kind = 0;
    long position = 0;
    long number = 0;
    long attempt = 0;
    long token = 0;
    long created = 0;
    String text = "";
    long parent = 0;
    long oldestRetained = 0;
    Manifest manifest = null;
    int field;
    while ((field = fields.next()) != 0) {
      switch (field) {
        case KIND -> kind = fields.content().readVarInt();
        case POSITION -> position = fields.content().readVarLong();
        case NUMBER -> number = fields.content().readVarLong();
        case ATTEMPT -> attempt = fields.content().readVarLong();
        case TOKEN -> token = fields.content().readLong();
        case CREATED -> created = fields.content().readSignedVarLong();
        case OWNER, REASON -> text = fields.content().readString();
        case PARENT -> parent = fields.content().readVarLong();
        case OLDEST_RETAINED -> oldestRetained = fields.content().readVarLong();
        case MANIFEST -> manifest = ManifestForm.read(fields.content());
        default -> fields.unknown();
      }
    }
    return switch (kind) {
      case CLAIM -> new LogEntry.Claim(position, number, token, created, text);
      case ABORTED -> new LogEntry.Aborted(position, number, attempt, token, created, text);
      case PUBLISHED -> {
        if (manifest == null) {
          throw new IllegalArgumentException("a published checkpoint without a manifest");
        }
        yield new LogEntry.Published(
            position, number, attempt, token, created, parent, oldestRetained, manifest);
      }
      default -> throw new FieldReader.UnknownFieldException(KIND);
    };
  }
}
