package io.streamforge.backend;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import java.util.Map;

/**
 * Turns the bytes that a serde writes for a key into bytes whose order, unsigned and from the left,
 * is the order of the keys, and back. Goes by the schema, so that it serves whatever is written in
 * one of the forms that it knows. Stateless and thread-safe.
 */
final class KeyOrder {
  /** One way there and the way back; each reads a whole key. */
  private interface Form {
    void order(ByteReader stored, ByteWriter ordered);

    void restore(ByteReader ordered, ByteWriter stored);
  }

  private static final long SIGN = Long.MIN_VALUE;
  private static final Form NUMBER = new NumberForm();
  private static final Form TIME = new TimeForm();
  private static final Form AS_STORED = new AsStoredForm();
  private static final Form COUNTED = new CountedForm();

  private static final Map<String, Form> FORMS =
      Map.ofEntries(
          Map.entry("boolean", AS_STORED),
          Map.entry("byte", new ByteForm()),
          Map.entry("short", NUMBER),
          Map.entry("int", NUMBER),
          Map.entry("long", NUMBER),
          Map.entry("float", new FloatForm()),
          Map.entry("double", new DoubleForm()),
          Map.entry("char", AS_STORED),
          Map.entry("string", COUNTED),
          Map.entry("bytes", COUNTED),
          Map.entry("UUID", new UuidForm()),
          Map.entry("Instant", TIME),
          Map.entry("Duration", TIME),
          Map.entry("LocalDate", NUMBER));

  private final Form form;

  private KeyOrder(Form form) {
    this.form = form;
  }

  /**
   * That of the keys of a serde.
   *
   * @throws StreamForgeException with {@link ErrorCode#SERDE_FAILED} when they have none
   */
  static KeyOrder of(Serde<?> keys) {
    Form form =
        keys.deterministic() && keys.schema() instanceof Schema.Basic basic
            ? FORMS.get(basic.form())
            : null;
    if (form == null) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "keys of a store cannot be of type " + keys.name() + ", whose bytes have no order",
          "Use boolean, byte, short, int, long, float, double, char, String, byte[], UUID, Instant,"
              + " Duration or LocalDate; or say with Serdes.mapped(...) as which of these it is"
              + " written.",
          null);
    }
    return new KeyOrder(form);
  }

  /**
   * The bytes in order.
   *
   * @param stored as the serde has written them
   * @throws StreamForgeException when they are not in its form
   */
  byte[] ordered(byte[] stored) {
    ByteReader input = new ByteReader(stored);
    ByteWriter output = new ByteWriter(stored.length + Long.BYTES);
    form.order(input, output);
    if (input.remaining() > 0) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a key has " + input.remaining() + " bytes more than its schema says");
    }
    return output.toByteArray();
  }

  /** The bytes as the serde has written them. */
  byte[] stored(byte[] ordered) {
    ByteWriter output = new ByteWriter(ordered.length + Long.BYTES);
    form.restore(new ByteReader(ordered), output);
    return output.toByteArray();
  }

  /** Whole numbers: eight bytes, negative ones first. */
  private static final class NumberForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeLong(stored.readSignedVarLong() ^ SIGN);
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      stored.writeSignedVarLong(ordered.readLong() ^ SIGN);
    }
  }

  private static final class ByteForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeByte(stored.readByte() ^ 0x80);
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      stored.writeByte(ordered.readByte() ^ 0x80);
    }
  }

  /** As {@link Float#compare}: the larger a negative one's other bits, the smaller it is. */
  private static final class FloatForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      int bits = stored.readInt();
      ordered.writeInt(bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE);
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      int bits = ordered.readInt();
      stored.writeInt(bits < 0 ? bits ^ Integer.MIN_VALUE : ~bits);
    }
  }

  /** As {@link Double#compare}. */
  private static final class DoubleForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      long bits = stored.readLong();
      ordered.writeLong(bits < 0 ? ~bits : bits ^ SIGN);
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      long bits = ordered.readLong();
      stored.writeLong(bits < 0 ? bits ^ SIGN : ~bits);
    }
  }

  /** Both halves as signed numbers, as {@link java.util.UUID#compareTo} has them. */
  private static final class UuidForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeLong(stored.readLong() ^ SIGN);
      ordered.writeLong(stored.readLong() ^ SIGN);
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      order(ordered, stored);
    }
  }

  /** Seconds, then nanoseconds, which are never negative. */
  private static final class TimeForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeLong(stored.readSignedVarLong() ^ SIGN);
      ordered.writeInt(stored.readVarInt());
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      stored.writeSignedVarLong(ordered.readLong() ^ SIGN);
      stored.writeVarInt(ordered.readInt());
    }
  }

  /** Forms of a fixed width that are in order already. */
  private static final class AsStoredForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeBytes(stored.readBytes(stored.remaining()));
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      order(ordered, stored);
    }
  }

  /**
   * Without the number of bytes before them. UTF-8 has the order of code points, a surrogate
   * without partner, which the serde writes in three bytes, among them.
   */
  private static final class CountedForm implements Form {
    @Override
    public void order(ByteReader stored, ByteWriter ordered) {
      ordered.writeBytes(stored.readBytes(stored.readCount()));
    }

    @Override
    public void restore(ByteReader ordered, ByteWriter stored) {
      int length = ordered.remaining();
      stored.writeVarInt(length);
      stored.writeBytes(ordered.readBytes(length));
    }
  }
}
