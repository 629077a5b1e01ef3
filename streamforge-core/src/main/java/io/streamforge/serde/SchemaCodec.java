package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The bytes of schemas: a version, then each part as a tag and what it has. They are part of the
 * stored format.
 */
final class SchemaCodec {
  private static final int VERSION = 1;

  /** Deeper than any type that has a serde, see {@link Inference}. */
  private static final int MAX_DEPTH = 256;

  private static final int BASIC = 1;
  private static final int ENUMERATION = 2;
  private static final int STRUCTURE = 3;
  private static final int UNION = 4;
  private static final int SEQUENCE = 5;
  private static final int MAPPING = 6;
  private static final int OPTIONAL = 7;
  private static final int REFERENCE = 8;
  private static final int OPAQUE = 9;

  private SchemaCodec() {}

  static long hash(byte[] bytes) {
    return XXHashFactory.safeInstance().hash64().hash(bytes, 0, bytes.length, 0);
  }

  static void write(Schema schema, ByteWriter output) {
    output.writeByte(VERSION);
    writePart(schema, output);
  }

  private static void writePart(Schema schema, ByteWriter output) {
    if (schema instanceof Schema.Basic basic) {
      output.writeByte(BASIC);
      output.writeString(basic.form());
    } else if (schema instanceof Schema.Enumeration enumeration) {
      output.writeByte(ENUMERATION);
      output.writeString(enumeration.name());
      output.writeVarInt(enumeration.constants().size());
      enumeration.constants().forEach(output::writeString);
    } else if (schema instanceof Schema.Structure structure) {
      output.writeByte(STRUCTURE);
      output.writeString(structure.name());
      output.writeVarInt(structure.fields().size());
      for (Schema.Field field : structure.fields()) {
        output.writeString(field.name());
        output.writeBoolean(field.nullable());
        writePart(field.schema(), output);
      }
    } else if (schema instanceof Schema.Union union) {
      output.writeByte(UNION);
      output.writeString(union.name());
      output.writeVarInt(union.alternatives().size());
      for (Schema.Alternative alternative : union.alternatives()) {
        output.writeString(alternative.name());
        writePart(alternative.schema(), output);
      }
    } else if (schema instanceof Schema.Sequence sequence) {
      output.writeByte(SEQUENCE);
      output.writeString(sequence.form());
      writePart(sequence.elements(), output);
    } else if (schema instanceof Schema.Mapping mapping) {
      output.writeByte(MAPPING);
      output.writeString(mapping.form());
      writePart(mapping.keys(), output);
      writePart(mapping.values(), output);
    } else if (schema instanceof Schema.OptionalValue optional) {
      output.writeByte(OPTIONAL);
      writePart(optional.value(), output);
    } else if (schema instanceof Schema.Reference reference) {
      output.writeByte(REFERENCE);
      output.writeVarInt(reference.levels());
    } else if (schema instanceof Schema.Opaque opaque) {
      output.writeByte(OPAQUE);
      output.writeString(opaque.form());
      output.writeSignedVarLong(opaque.version());
    }
  }

  static Schema read(ByteReader input) {
    int version = input.readByte();
    if (version != VERSION) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a schema has version " + version + ", of which only " + VERSION + " is known",
          "If a newer release has written it, use that one; otherwise the bytes are damaged.",
          null);
    }
    try {
      return readPart(input, 0, 0);
    } catch (IllegalArgumentException e) {
      throw ByteReader.malformed("the bytes are not a schema: " + e.getMessage());
    }
  }

  /**
   * Reads a part.
   *
   * @param scopes structures and unions around it
   */
  private static Schema readPart(ByteReader input, int depth, int scopes) {
    if (depth > MAX_DEPTH) {
      throw ByteReader.malformed("a schema is nested more than " + MAX_DEPTH + " levels deep");
    }
    int tag = input.readByte();
    int inside = depth + 1;
    return switch (tag) {
      case BASIC -> new Schema.Basic(input.readString());
      case ENUMERATION -> {
        String name = input.readString();
        List<String> constants = new ArrayList<>();
        for (int i = count(input); i > 0; i--) {
          constants.add(input.readString());
        }
        yield new Schema.Enumeration(name, constants);
      }
      case STRUCTURE -> {
        String name = input.readString();
        List<Schema.Field> fields = new ArrayList<>();
        for (int i = count(input); i > 0; i--) {
          fields.add(
              new Schema.Field(
                  input.readString(), input.readBoolean(), readPart(input, inside, scopes + 1)));
        }
        yield new Schema.Structure(name, fields);
      }
      case UNION -> {
        String name = input.readString();
        List<Schema.Alternative> alternatives = new ArrayList<>();
        for (int i = count(input); i > 0; i--) {
          alternatives.add(
              new Schema.Alternative(input.readString(), readPart(input, inside, scopes + 1)));
        }
        yield new Schema.Union(name, alternatives);
      }
      case SEQUENCE -> new Schema.Sequence(input.readString(), readPart(input, inside, scopes));
      case MAPPING ->
          new Schema.Mapping(
              input.readString(), readPart(input, inside, scopes), readPart(input, inside, scopes));
      case OPTIONAL -> new Schema.OptionalValue(readPart(input, inside, scopes));
      case REFERENCE -> {
        int levels = input.readVarInt();
        if (levels < 1 || levels > scopes) {
          throw ByteReader.malformed("a schema refers to level " + levels + " of " + scopes);
        }
        yield new Schema.Reference(levels);
      }
      case OPAQUE -> new Schema.Opaque(input.readString(), input.readSignedVarInt());
      default -> throw ByteReader.malformed("a schema has a part of unknown kind " + tag);
    };
  }

  /** A number of parts, each of which takes a byte at least. */
  private static int count(ByteReader input) {
    int count = input.readCount();
    if (count > input.remaining()) {
      throw ByteReader.malformed("the bytes end too early: a schema has " + count + " more parts");
    }
    return count;
  }
}
