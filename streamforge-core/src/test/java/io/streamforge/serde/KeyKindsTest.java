package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

class KeyKindsTest {
  private static final int GROUPS = 1024;

  private record Terrible(String name) {
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      throw new AssertionError("the engine never asks a user's class");
    }
  }

  private record Digest(String algorithm, byte[] value) {}

  @Test
  void a01ByteArraysAreTheSameKeyByContent() {
    KeyKind<byte[]> kind = KeyKinds.of(Serdes.bytes());
    byte[] left = {1, 2, -3};
    byte[] right = {1, 2, -3};
    assertThat(kind.same(left, right)).isTrue();
    assertThat(kind.hash(left)).isEqualTo(kind.hash(right)).isEqualTo(0x84BB_AC3E_1E3B_D8CFL);
    assertThat(kind.compare(left, right)).isZero();
    assertThat(kind.same(left, new byte[] {1, 2})).isFalse();
    assertThat(kind.compare(left, new byte[] {1, 2, 3})).isPositive();
  }

  @Test
  void a01ArraysInsideRecordsAreTheSameKeyByContent() {
    KeyKind<Digest> kind = KeyKinds.of(Serdes.of(Digest.class));
    Digest left = new Digest("sha", new byte[] {1, 2});
    Digest right = new Digest("sha", new byte[] {1, 2});
    assertThat(left).isNotEqualTo(right);
    assertThat(kind.same(left, right)).isTrue();
    assertThat(kind.hash(left)).isEqualTo(kind.hash(right));
    assertThat(kind.same(left, new Digest("sha", new byte[] {2, 1}))).isFalse();
    assertThat(kind.same(left, new Digest("sha", null))).isFalse();

    KeyKind<int[][]> arrays = KeyKinds.of(Serdes.of(int[][].class));
    assertThat(arrays.same(new int[][] {{1}, {2}}, new int[][] {{1}, {2}})).isTrue();
    assertThat(arrays.hash(new int[][] {{1}, {2}})).isEqualTo(arrays.hash(new int[][] {{1}, {2}}));
    assertThat(arrays.same(new int[][] {{1}, {2}}, new int[][] {{1, 2}, {}})).isFalse();
  }

  @Test
  void a02StringsWhoseHashCodesCollideAreSpread() {
    KeyKind<String> kind = KeyKinds.of(Serdes.string());
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    assertThat(kind.hash("Aa")).isNotEqualTo(kind.hash("BB"));
    assertThat(kind.same("Aa", "BB")).isFalse();
    Set<Integer> hashCodes = new HashSet<>();
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < 1 << 14; i++) {
      StringBuilder key = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      hashCodes.add(key.toString().hashCode());
      hashes.add(kind.hash(key.toString()));
    }
    assertThat(hashCodes).hasSize(1);
    assertThat(hashes).hasSize(1 << 14);
  }

  @Test
  void a02KeysWithATerribleHashCodeAreSpread() {
    KeyKind<Terrible> kind = KeyKinds.of(Serdes.of(Terrible.class));
    List<Terrible> keys = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      keys.add(new Terrible("key-" + i));
    }
    assertBalanced("terrible", keys.size(), i -> kind.hash(keys.get(i)));
    Set<Long> hashes = new HashSet<>();
    keys.forEach(key -> hashes.add(kind.hash(key)));
    assertThat(hashes).hasSize(10_000);
    assertThat(kind.same(keys.get(7), new Terrible("key-7"))).isTrue();
    assertThat(kind.same(keys.get(7), keys.get(8))).isFalse();
  }

  @Test
  void i03KeysThatDifferOnlyByNormalisationAreDifferent() {
    String composed = "Zo\u00EB";
    String decomposed = Normalizer.normalize(composed, Normalizer.Form.NFD);
    assertThat(decomposed).isNotEqualTo(composed);
    for (KeyKind<String> kind :
        List.of(KeyKinds.of(Serdes.string()), KeyKinds.of(new Delegating<>(Serdes.string())))) {
      assertThat(kind.same(composed, decomposed)).isFalse();
      assertThat(kind.hash(composed)).isNotEqualTo(kind.hash(decomposed));
      assertThat(kind.compare(composed, decomposed)).isNotZero();
    }
  }

  @Test
  void i03LoneSurrogatesAreDifferentKeys() {
    KeyKind<String> kind = KeyKinds.of(new Delegating<>(Serdes.string()));
    assertThat(kind.same("\uD800", "\uD801")).isFalse();
    assertThat(kind.same("\uD800", "?")).isFalse();
    assertThat(kind.same("\uD800", "\uFFFD")).isFalse();
  }

  @Test
  void hashesOfKnownKeysNeverChange() {
    KeyKind<String> strings = KeyKinds.of(Serdes.string());
    assertThat(strings.hash("")).isEqualTo(0xEF46_DB37_51D8_E999L);
    assertThat(strings.hash("Aa")).isEqualTo(1073047253930476896L);
    assertThat(strings.hash("BB")).isEqualTo(-1161141357065407573L);
    KeyKind<Long> longs = KeyKinds.of(Serdes.longs());
    assertThat(longs.hash(0L)).isEqualTo(0xE220_A839_7B1D_CDAFL);
    KeyKind<Integer> ints = KeyKinds.of(Serdes.ints());
    assertThat(ints.hash(-5)).isEqualTo(longs.hash(-5L));
    assertThat(ints.hash(0)).isEqualTo(0xE220_A839_7B1D_CDAFL);
    KeyKind<UUID> uuids = KeyKinds.of(Serdes.uuids());
    assertThat(uuids.hash(new UUID(1, 2))).isEqualTo(0xE06D_D043_328B_D285L);
    KeyKind<Digest> records = KeyKinds.of(Serdes.of(Digest.class));
    assertThat(records.hash(new Digest("sha", new byte[] {1}))).isEqualTo(0xC67D_4004_F95D_F976L);
  }

  @Test
  void stringHashIsXxh64OfTheUtf16Units() {
    KeyKind<String> kind = KeyKinds.of(Serdes.string());
    Random random = new Random(11);
    for (int length = 0; length < 200; length++) {
      StringBuilder builder = new StringBuilder();
      for (int i = 0; i < length; i++) {
        builder.append((char) random.nextInt(length % 2 == 0 ? 0x80 : 0xD800));
      }
      byte[] units = builder.toString().getBytes(StandardCharsets.UTF_16LE);
      assertThat(kind.hash(builder.toString()))
          .isEqualTo(XXHashFactory.safeInstance().hash64().hash(units, 0, units.length, 0));
    }
  }

  @Test
  void hashOfNumbersChangesHalfItsBitsWithEveryBit() {
    KeyKind<Long> kind = KeyKinds.of(Serdes.longs());
    Random random = new Random(5);
    for (int bit = 0; bit < 64; bit++) {
      long changed = 0;
      for (int i = 0; i < 2000; i++) {
        long key = random.nextLong();
        changed += Long.bitCount(kind.hash(key) ^ kind.hash(key ^ 1L << bit));
      }
      assertThat(changed / 2000.0).as("bit " + bit).isBetween(31.0, 33.0);
    }
  }

  @Test
  void keyGroupsAreBalanced() {
    KeyKind<Long> longs = KeyKinds.of(Serdes.longs());
    KeyKind<Integer> ints = KeyKinds.of(Serdes.ints());
    KeyKind<String> strings = KeyKinds.of(Serdes.string());
    KeyKind<UUID> uuids = KeyKinds.of(Serdes.uuids());
    KeyKind<Double> doubles = KeyKinds.of(Serdes.doubles());
    KeyKind<byte[]> bytes = KeyKinds.of(Serdes.bytes());
    assertBalanced("sequential longs", 200_000, i -> longs.hash((long) i));
    assertBalanced("longs in steps", 200_000, i -> longs.hash((long) i << 20));
    assertBalanced("negative ints", 200_000, i -> ints.hash(-i));
    assertBalanced("user-n", 200_000, i -> strings.hash("user-" + i));
    assertBalanced("padded", 200_000, i -> strings.hash(String.format("customer/%012d/eu", i)));
    assertBalanced("sequential UUIDs", 200_000, i -> uuids.hash(new UUID(0x1234, i)));
    assertBalanced("upper UUIDs", 200_000, i -> uuids.hash(new UUID(i, i)));
    assertBalanced("whole doubles", 200_000, i -> doubles.hash((double) i));
    assertBalanced(
        "bytes",
        200_000,
        i -> bytes.hash(new byte[] {(byte) i, (byte) (i >> 8), (byte) (i >> 16)}));
  }

  /** Chi-square of the groups: mean 1023, standard deviation 45; the bound is six of these. */
  private static void assertBalanced(String what, int keys, IntToLongFunction hash) {
    int[] counts = new int[GROUPS];
    for (int i = 0; i < keys; i++) {
      counts[KeyGroups.of(hash.applyAsLong(i), GROUPS)]++;
    }
    double expected = (double) keys / GROUPS;
    double chiSquare = 0;
    for (int count : counts) {
      chiSquare += (count - expected) * (count - expected) / expected;
    }
    assertThat(chiSquare).as(what).isBetween(1023 - 6 * 45.3, 1023 + 6 * 45.3);
  }

  @Test
  void orderIsTotalAndConsistentWithSameness() {
    Random random = new Random(9);
    assertOrder(Serdes.string(), random, r -> r.nextInt(2) + "\uD800x".substring(r.nextInt(3)));
    assertOrder(Serdes.longs(), random, r -> r.nextLong() >> (40 + r.nextInt(24)));
    assertOrder(Serdes.ints(), random, r -> r.nextInt(9) - 4);
    assertOrder(Serdes.uuids(), random, r -> new UUID(r.nextInt(3) - 1, r.nextInt(3) - 1));
    assertOrder(
        Serdes.bytes(), random, r -> new byte[] {(byte) (r.nextInt(3) - 1), (byte) r.nextInt(2)});
    assertOrder(
        Serdes.of(Digest.class),
        random,
        r -> new Digest("" + r.nextInt(3), new byte[r.nextInt(3)]));
  }

  private static <K> void assertOrder(
      Serde<K> serde, Random random, java.util.function.Function<Random, K> keys) {
    KeyKind<K> kind = KeyKinds.of(serde);
    List<K> sample = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      sample.add(keys.apply(random));
    }
    for (K a : sample) {
      for (K b : sample) {
        int order = Integer.signum(kind.compare(a, b));
        assertThat(order == 0).isEqualTo(kind.same(a, b));
        assertThat(order).isEqualTo(-Integer.signum(kind.compare(b, a)));
        if (order == 0) {
          assertThat(kind.hash(a)).isEqualTo(kind.hash(b));
        }
        for (K c : sample) {
          if (order <= 0 && kind.compare(b, c) <= 0) {
            assertThat(kind.compare(a, c)).isLessThanOrEqualTo(0);
          }
        }
      }
    }
  }

  @Test
  void otherKeysAreInTheOrderOfTheirUnsignedBytes() {
    KeyKind<Double> kind = KeyKinds.of(Serdes.doubles());
    assertThat(kind.compare(1.0, 2.0)).isNegative();
    assertThat(kind.compare(-1.0, 2.0)).isPositive();
    assertThat(kind.same(0.0, -0.0)).isFalse();
    assertThat(kind.same(Double.NaN, Double.longBitsToDouble(0x7FF8_0000_0000_0001L))).isTrue();
    KeyKind<UUID> uuids = KeyKinds.of(Serdes.uuids());
    assertThat(uuids.compare(new UUID(-1, 0), new UUID(1, 0))).isPositive();
  }

  @Test
  void aKeyWhoseBytesMayDifferIsRefused() {
    assertThatThrownBy(() -> KeyKinds.of(Serdes.of(new TypeRef<Map<String, Long>>() {})))
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED))
        .hasMessageContaining("keys cannot be of type map<string, long>");
  }

  @Test
  void hashFollowsFromTheStoredBytesAndTheirSchema() {
    assertHashFollows(Serdes.string(), "käse", "");
    assertHashFollows(Serdes.longs(), -7L, Long.MAX_VALUE);
    assertHashFollows(Serdes.ints(), -7, 70_000);
    assertHashFollows(Serdes.uuids(), new UUID(1, -2));
    assertHashFollows(Serdes.bytes(), new byte[0], new byte[] {1, -2});
    assertHashFollows(Serdes.mapped("day", Serdes.longs(), Long::parseLong, String::valueOf), "42");
    assertHashFollows(Serdes.of(Digest.class), new Digest("sha", new byte[] {1, 2}));
    assertHashFollows(Serdes.list(Serdes.ints()), List.of(1, 2, 3));
  }

  @SafeVarargs
  private static <K> void assertHashFollows(Serde<K> serde, K... keys) {
    for (K key : keys) {
      ByteWriter bytes = new ByteWriter();
      serde.write(key, bytes);
      assertThat(KeyKinds.hash(serde.schema(), new ByteReader(bytes.toByteArray())))
          .isEqualTo(KeyKinds.of(serde).hash(key));
    }
  }

  @Test
  void aKindKnowsItsSerde() {
    for (Serde<?> serde :
        Arrays.asList(
            Serdes.string(),
            Serdes.longs(),
            Serdes.ints(),
            Serdes.uuids(),
            Serdes.bytes(),
            Serdes.doubles())) {
      assertThat(KeyKinds.of(serde).serde()).isSameAs(serde);
    }
  }

  /** A serde that is not one of the built-in ones. */
  private record Delegating<T>(Serde<T> serde) implements Serde<T> {
    @Override
    public void write(T value, ByteWriter output) {
      serde.write(value, output);
    }

    @Override
    public T read(ByteReader input) {
      return serde.read(input);
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "delegating";
    }
  }
}
