package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Golden;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Samples.Sample;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is stored, of every form: it must never change, and damage to it must never do harm. */
class StoredFormsTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void bytesSchemasAndFingerprintsNeverChange() {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Sample<?> sample : Samples.all()) {
      Schema schema = sample.serde().schema();
      String form = schema.toString();
      if (!form.equals(last)) {
        text.append(form).append("  ").append(Long.toHexString(schema.fingerprint())).append('\n');
        text.append("  schema ").append(HEX.formatHex(schema.toBytes())).append('\n');
        last = form;
      }
      text.append("  ").append(show(sample.value())).append("  ");
      text.append(HEX.formatHex(sample.bytes())).append('\n');
    }
    Golden.assertMatches("stored-forms.txt", text.toString());
  }

  @Test
  void everyFormComesBack() {
    for (Sample<?> sample : Samples.all()) {
      ByteReader input = new ByteReader(sample.bytes());
      Object back = sample.serde().read(input);
      assertThat(input.remaining()).isZero();
      // What the constructor sets is not stored.
      assertThat(show(back)).isEqualTo(show(sample.value()).replace("me:5:1", "me:5:0"));
    }
  }

  @Test
  void everyFormIsReadWithoutItsClass() {
    for (Sample<?> sample : Samples.all()) {
      ByteReader input = new ByteReader(sample.bytes());
      sample.serde().schema().reader().read(input);
      assertThat(input.remaining()).isZero();
    }
    Samples.Order order = new Samples.Order(1, null, "n", Samples.Colour.RED);
    ValueReader<Object> reader = Serdes.of(Samples.Order.class).schema().reader();
    byte[] bytes = new Sample<>(Serdes.of(Samples.Order.class), order).bytes();
    Schema.StoredStructure stored = (Schema.StoredStructure) reader.read(new ByteReader(bytes));
    assertThat(stored.type()).isEqualTo(Samples.Order.class.getName());
    assertThat(stored.fields().entrySet().toString())
        .isEqualTo("[id=1, amount=null, note=n, colour=RED]");
    Serde<Optional<Map<String, List<Samples.Tree>>>> deep =
        Serdes.of(new TypeRef<Optional<Map<String, List<Samples.Tree>>>>() {});
    byte[] tree =
        new Sample<>(
                deep,
                Optional.of(
                    Map.of("t", List.of(new Samples.Tree(1, List.of(new Samples.Tree(2, null)))))))
            .bytes();
    assertThat(deep.schema().reader().read(new ByteReader(tree)).toString())
        .isEqualTo(
            "Optional[{t=[StoredStructure[type=io.streamforge.serde.Samples$Tree, fields={value=1,"
                + " children=[StoredStructure[type=io.streamforge.serde.Samples$Tree,"
                + " fields={value=2, children=null}]]}]]}]");
    assertThat((byte[]) new Samples.PointSerde().schema().reader().read(new ByteReader(tree)))
        .isEqualTo(tree);
  }

  @Test
  void bytesThatEndTooEarlyAreAClearErrorAtEveryPoint() {
    for (Sample<?> sample : Samples.all()) {
      byte[] bytes = sample.bytes();
      for (int length = 0; length < bytes.length; length++) {
        ByteReader input = new ByteReader(bytes, 0, length);
        assertThatThrownBy(() -> sample.serde().read(input))
            .as(sample.serde().name())
            .isInstanceOfSatisfying(
                StreamForgeException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED));
      }
      if (!(sample.serde().schema() instanceof Schema.Opaque)) {
        Damage.truncate(bytes, sample.serde().schema().reader()::read);
      }
    }
  }

  @Test
  void damagedBytesAreAValueOrAClearError() {
    Random random = new Random(5);
    for (Sample<?> sample : Samples.all()) {
      Damage.flip(sample.bytes(), random, 300, sample.serde()::read);
      Damage.flip(sample.bytes(), random, 300, sample.serde().schema().reader()::read);
    }
  }

  @Test
  void hugeNumbersOfElementsDoNotFillTheMemory() {
    byte[] huge = HEX.parseHex("feffffff0f0000000000000000");
    for (Serde<?> serde :
        List.of(
            Serdes.list(Serdes.of(Samples.Nothing.class)),
            Serdes.list(Serdes.booleans()),
            Serdes.of(Samples.Nothing[].class),
            Serdes.map(Serdes.booleans(), Serdes.booleans()),
            Serdes.string(),
            Serdes.bytes(),
            Serdes.longArrays(),
            Serdes.bigIntegers())) {
      assertThatThrownBy(() -> serde.read(new ByteReader(huge)))
          .isInstanceOf(StreamForgeException.class);
      assertThatThrownBy(() -> serde.schema().reader().read(new ByteReader(huge)))
          .isInstanceOf(StreamForgeException.class);
    }
    assertThatThrownBy(() -> Serdes.list(Serdes.booleans()).read(new ByteReader(huge)))
        .hasMessageContaining(
            "the bytes end too early: 2147483647 elements do not fit into the 8 that are left");
  }

  @Test
  void deepValuesAreReadUpToALimitAndThenRefused() throws Exception {
    Serde<Samples.Tree> serde = Serdes.of(Samples.Tree.class);
    Samples.Tree deepest = nested(200);
    byte[] bytes = new Sample<>(serde, deepest).bytes();
    // On a small stack, as a worker might have left.
    Samples.Tree[] read = new Samples.Tree[1];
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              serde.schema().reader().read(new ByteReader(bytes));
              serde.write(deepest, new ByteWriter());
              read[0] = serde.read(new ByteReader(bytes));
            },
            "small stack",
            512 * 1024);
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    assertThat(failure[0]).isNull();
    assertThat(new Sample<>(serde, read[0]).bytes()).isEqualTo(bytes);

    assertThatThrownBy(() -> serde.write(nested(201), new ByteWriter()))
        .hasMessageContaining("a value contains others of its type more than 200 levels deep");
    List<Samples.Tree> children = new java.util.ArrayList<>();
    Samples.Tree itself = new Samples.Tree(1, children);
    children.add(itself);
    assertThatThrownBy(() -> serde.write(itself, new ByteWriter()))
        .hasMessageContaining("or contains itself");

    byte[] tooDeep = HEX.parseHex("000202".repeat(100_000));
    assertThatThrownBy(() -> serde.read(new ByteReader(tooDeep)))
        .hasMessageContaining("a value is nested more than 200 levels deep");
    assertThatThrownBy(() -> serde.schema().reader().read(new ByteReader(tooDeep)))
        .hasMessageContaining("a value is nested more than 200 levels deep");
  }

  private static Samples.Tree nested(int levels) {
    Samples.Tree tree = new Samples.Tree(0, List.of());
    for (int i = 0; i < levels; i++) {
      tree = new Samples.Tree(i, List.of(tree));
    }
    return tree;
  }

  @Test
  void damagedSchemasAreASchemaOrAClearError() {
    Random random = new Random(6);
    for (Sample<?> sample : Samples.all()) {
      byte[] bytes = sample.serde().schema().toBytes();
      for (int length = 0; length < bytes.length; length++) {
        ByteReader input = new ByteReader(bytes, 0, length);
        assertThatThrownBy(() -> Schema.read(input))
            .isInstanceOfSatisfying(
                StreamForgeException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED));
      }
      // Whatever schema they make, values can be read with it, and a serde judges it.
      Damage.flip(
          bytes,
          random,
          200,
          input -> {
            Schema schema = Schema.read(input);
            sample.serde().reading(schema);
            assertThat(schema.toString()).isNotNull();
            schema.reader().read(new ByteReader(sample.bytes()));
          });
    }
  }

  @Test
  void aSchemaOfANewerReleaseSaysSo() {
    assertThatThrownBy(() -> Schema.read(new ByteReader(new byte[] {2, 1, 0})))
        .hasMessage(
            "SERDE_FAILED: a schema has version 2, of which only 1 is known\n  Remedy: If a newer"
                + " release has written it, use that one; otherwise the bytes are damaged.");
    assertThatThrownBy(() -> new Schema.Basic("Quaternion").reader())
        .hasMessage(
            "SERDE_FAILED: the stored form 'Quaternion' is not known\n  Remedy: A newer release has"
                + " probably written it: use that one.");
  }

  @Test
  void aSchemaThatIsTooDeepIsRefused() {
    assertThatThrownBy(() -> Schema.read(new ByteReader(HEX.parseHex("01" + "07".repeat(100_000)))))
        .hasMessageContaining("a schema is nested more than 256 levels deep");
    assertThatThrownBy(() -> Schema.read(new ByteReader(HEX.parseHex("010801"))))
        .hasMessageContaining("a schema refers to level 1 of 0");
  }

  @Test
  void aSerdeThatLeavesBytesUnreadIsNoticed() {
    Serde<List<Samples.Point>> two = Serdes.list(new Samples.PointSerde());
    assertThatThrownBy(
            () -> two.read(new ByteReader(HEX.parseHex("02" + "09" + "000000010000000200"))))
        .hasMessageContaining("a serde has left 1 bytes of its value unread");
    assertThatThrownBy(
            () -> two.read(new ByteReader(HEX.parseHex("02" + "04" + "0000000100000002"))))
        .hasMessageContaining("the bytes end too early");
  }

  @Test
  void longValuesOfASerdeOfOnesOwnAreFramedToo() {
    Serde<String> own =
        new Serde<>() {
          @Override
          public void write(String value, ByteWriter output) {
            output.writeString(value);
          }

          @Override
          public String read(ByteReader input) {
            return input.readString();
          }

          @Override
          public boolean deterministic() {
            return true;
          }

          @Override
          public String name() {
            return "own";
          }
        };
    for (int length : new int[] {0, 1, 125, 126, 127, 128, 129, 16_380, 16_384, 3_000_000}) {
      List<String> value = List.of("x".repeat(length), "y");
      byte[] bytes = new Sample<>(Serdes.list(own), value).bytes();
      assertThat(Serdes.list(own).read(new ByteReader(bytes))).isEqualTo(value);
    }
  }

  private static String show(Object value) {
    String text = Arrays.deepToString(new Object[] {value});
    return text.substring(1, text.length() - 1)
        .codePoints()
        .mapToObj(c -> c < 0x80 ? Character.toString(c) : "\\u{%x}".formatted(c))
        .reduce("", String::concat);
  }
}
