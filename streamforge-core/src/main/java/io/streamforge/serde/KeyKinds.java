package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.Arrays;
import java.util.UUID;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Makes {@link KeyKind}s. The hash functions decide which key group a stored key belongs to: they
 * are part of the stored format and never change.
 *
 * <ul>
 *   <li>{@link Serdes#string()}: XXH64 with seed 0 of the UTF-16 units, lower byte first.
 *   <li>{@link Serdes#longs()} and {@link Serdes#ints()}: the mixing function of SplitMix64, of
 *       which no two numbers have the same result. An int and a long of the same value have the
 *       same hash.
 *   <li>{@link Serdes#uuids()}: the same, applied to the lower half and then to the upper half xor
 *       the result.
 *   <li>{@link Serdes#bytes()}: XXH64 with seed 0 of the content.
 *   <li>{@link Serdes#mapped}: that of what is written.
 *   <li>All other serdes, those of the user included: XXH64 with seed 0 of what they write.
 * </ul>
 */
public final class KeyKinds {
  /** The first Java that prints a warning, at every start, when a library uses Unsafe. */
  private static final int FIRST_JAVA_THAT_WARNS = 24;

  private static final XXHash64 XX_HASH =
      (Runtime.version().feature() < FIRST_JAVA_THAT_WARNS
              ? XXHashFactory.fastestJavaInstance()
              : XXHashFactory.safeInstance())
          .hash64();

  private KeyKinds() {}

  /**
   * The identity that a serde defines; a new instance, for one task.
   *
   * @throws StreamForgeException with {@link ErrorCode#SERDE_FAILED} when the serde is not
   *     deterministic
   */
  @SuppressWarnings("unchecked")
  public static <K> KeyKind<K> of(Serde<K> serde) {
    if (!serde.deterministic()) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "keys cannot be of type "
              + serde.name()
              + ", since equal values may have different bytes",
          "Use keys of a type with a fixed order, such as List, SortedSet, SortedMap or a record of"
              + " these.",
          null);
    }
    Object kind;
    if (serde == Scalars.STRING) {
      kind = new StringKeyKind();
    } else if (serde == Scalars.LONG) {
      kind = new LongKeyKind();
    } else if (serde == Scalars.INT) {
      kind = new IntegerKeyKind();
    } else if (serde == Scalars.UUIDS) {
      kind = new UuidKeyKind();
    } else if (serde == Scalars.BYTES) {
      kind = new BytesKeyKind();
    } else if (serde instanceof MappedSerde<K, ?> mapped) {
      kind = new MappedKeyKind<>(mapped);
    } else {
      kind = new SerializedKeyKind<>(serde);
    }
    return (KeyKind<K>) kind;
  }

  /**
   * How stored keys are read. Since a key is what its bytes are, and its group follows from them,
   * more is refused than by {@link Serde#reading}: a schema under which the same key would have
   * other bytes or another hash makes it another key.
   */
  public static <K> Reading<K> reading(Serde<K> serde, Schema stored) {
    Schema current = serde.schema();
    Reading<K> reading = serde.reading(stored);
    if (stored.equals(current) || !(reading instanceof Reading.Readable<K> readable)) {
      return reading;
    }
    if (readable.asStored() && hashFunction(stored).equals(hashFunction(current))) {
      return reading;
    }
    return Reading.refused(
        stored,
        current,
        "a key is what its bytes are, so keys of another form are other keys",
        "Keep the type of the keys. To change it, key the stream anew under another node name, whose"
            + " state begins empty.");
  }

  /**
   * The hash of a key by its bytes, as {@link KeyKind#hash} says for the serde that wrote them with
   * this schema.
   *
   * @param key stands at the key, as the serde itself has written it, and all that is left is read
   */
  public static long hash(Schema stored, ByteReader key) {
    return switch (hashFunction(stored)) {
      case "number" -> mix(key.readSignedVarLong());
      case "string" -> new StringKeyKind().hash(key.readString());
      case "UUID" -> new UuidKeyKind().hash(Scalars.UUIDS.read(key));
      case "bytes" -> new BytesKeyKind().hash(Scalars.BYTES.read(key));
      default -> new BytesKeyKind().hash(key.readBytes(key.remaining()));
    };
  }

  /** Which of the functions above a schema has. */
  private static String hashFunction(Schema schema) {
    String form = schema instanceof Schema.Basic basic ? basic.form() : "";
    return switch (form) {
      case "int", "long" -> "number";
      case "string", "UUID", "bytes" -> form;
      default -> "of the bytes";
    };
  }

  /** SplitMix64: bijective, and every bit of the number changes every bit of the hash. */
  static long mix(long number) {
    long z = number + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  /** The inverse of {@link #mix}. */
  static long unmix(long hash) {
    long z = hash ^ (hash >>> 31) ^ (hash >>> 62);
    z *= 0x3196_42B2_D24D_8EC3L;
    z = z ^ (z >>> 27) ^ (z >>> 54);
    z *= 0x96DE_1B17_3F11_9089L;
    z = z ^ (z >>> 30) ^ (z >>> 60);
    return z - 0x9E37_79B9_7F4A_7C15L;
  }

  private static final class LongKeyKind implements KeyKind<Long> {
    @Override
    public boolean hashIsKey() {
      return true;
    }

    @Override
    public Long keyOf(long hash) {
      return unmix(hash);
    }

    @Override
    public long hash(Long key) {
      return mix(key);
    }

    @Override
    public boolean same(Long left, Long right) {
      return left.longValue() == right.longValue();
    }

    @Override
    public int compare(Long left, Long right) {
      return Long.compare(left, right);
    }

    @Override
    public Serde<Long> serde() {
      return Scalars.LONG;
    }
  }

  private static final class IntegerKeyKind implements KeyKind<Integer> {
    @Override
    public boolean hashIsKey() {
      return true;
    }

    @Override
    public Integer keyOf(long hash) {
      return (int) unmix(hash);
    }

    @Override
    public long hash(Integer key) {
      return mix(key);
    }

    @Override
    public boolean same(Integer left, Integer right) {
      return left.intValue() == right.intValue();
    }

    @Override
    public int compare(Integer left, Integer right) {
      return Integer.compare(left, right);
    }

    @Override
    public Serde<Integer> serde() {
      return Scalars.INT;
    }
  }

  /** Ordered like its bytes, which {@link UUID#compareTo} is not. */
  private static final class UuidKeyKind implements KeyKind<UUID> {
    @Override
    public long hash(UUID key) {
      return mix(key.getMostSignificantBits() ^ mix(key.getLeastSignificantBits()));
    }

    @Override
    public boolean same(UUID left, UUID right) {
      return left.getMostSignificantBits() == right.getMostSignificantBits()
          && left.getLeastSignificantBits() == right.getLeastSignificantBits();
    }

    @Override
    public int compare(UUID left, UUID right) {
      int upper =
          Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
      return upper != 0
          ? upper
          : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
    }

    @Override
    public Serde<UUID> serde() {
      return Scalars.UUIDS;
    }
  }

  private static final class BytesKeyKind implements KeyKind<byte[]> {
    @Override
    public long hash(byte[] key) {
      return XX_HASH.hash(key, 0, key.length, 0);
    }

    @Override
    public boolean same(byte[] left, byte[] right) {
      return Arrays.equals(left, right);
    }

    @Override
    public int compare(byte[] left, byte[] right) {
      return Arrays.compareUnsigned(left, right);
    }

    @Override
    public Serde<byte[]> serde() {
      return Scalars.BYTES;
    }
  }

  /** The identity of what is written instead of the key. */
  private static final class MappedKeyKind<K, F> implements KeyKind<K> {
    private final MappedSerde<K, F> serde;
    private final KeyKind<F> form;

    MappedKeyKind(MappedSerde<K, F> serde) {
      this.serde = serde;
      this.form = of(serde.form());
    }

    @Override
    public long hash(K key) {
      return form.hash(serde.written(key));
    }

    @Override
    public boolean same(K left, K right) {
      return form.same(serde.written(left), serde.written(right));
    }

    @Override
    public int compare(K left, K right) {
      return form.compare(serde.written(left), serde.written(right));
    }

    @Override
    public Serde<K> serde() {
      return serde;
    }
  }

  /** Ordered by bytes, unsigned. */
  private static final class SerializedKeyKind<K> implements KeyKind<K> {
    private final Serde<K> serde;
    private final ByteWriter leftBytes = new ByteWriter();
    private final ByteWriter rightBytes = new ByteWriter();

    SerializedKeyKind(Serde<K> serde) {
      this.serde = serde;
    }

    @Override
    public long hash(K key) {
      leftBytes.reset();
      serde.write(key, leftBytes);
      return XX_HASH.hash(leftBytes.buffer(), 0, leftBytes.size(), 0);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // only a short cut
    public boolean same(K left, K right) {
      if (left == right) {
        return true;
      }
      write(left, right);
      return Arrays.equals(
          leftBytes.buffer(), 0, leftBytes.size(), rightBytes.buffer(), 0, rightBytes.size());
    }

    @Override
    public int compare(K left, K right) {
      write(left, right);
      return Arrays.compareUnsigned(
          leftBytes.buffer(), 0, leftBytes.size(), rightBytes.buffer(), 0, rightBytes.size());
    }

    private void write(K left, K right) {
      leftBytes.reset();
      serde.write(left, leftBytes);
      rightBytes.reset();
      serde.write(right, rightBytes);
    }

    @Override
    public Serde<K> serde() {
      return serde;
    }
  }
}
