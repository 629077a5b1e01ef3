package io.streamforge.formats.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.TypeRef;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class JsonSerdeTest {
  record Order(long id, String note, List<Integer> amounts, Instant at) {}

  record Renewed(long id, List<Long> amounts, Instant at, boolean paid, String by) {}

  record Number(long id) {}

  static final class Bean {
    public String name = "";
    public Map<String, Object> more = new HashMap<>();
  }

  private final Random random = new Random(1);

  @Test
  void valuesComeBack() {
    Serde<Order> serde = JsonSerde.of(Order.class);
    for (int i = 0; i < 200; i++) {
      String note = random.nextInt(4) == 0 ? null : "n\u00fc\"" + i;
      Order order =
          new Order(
              random.nextLong(),
              note,
              random.ints(i % 5).boxed().toList(),
              Instant.ofEpochMilli(random.nextInt()));
      assertThat(trip(serde, order)).isEqualTo(order);
    }
    assertThat(trip(JsonSerde.of(new TypeRef<Map<String, List<Number>>>() {}), numbers()))
        .isEqualTo(numbers());
    Bean bean = new Bean();
    bean.name = "b";
    bean.more.put("x", List.of(1, "two"));
    assertThat(trip(JsonSerde.of(Bean.class), bean)).usingRecursiveComparison().isEqualTo(bean);
  }

  private static Map<String, List<Number>> numbers() {
    return Map.of("a", List.of(new Number(1)));
  }

  @Test
  void bytesNeverChange() {
    assertThat(HexFormat.of().formatHex(bytes(JsonSerde.of(Number.class), new Number(-5))))
        .isEqualTo(
            "09"
                + HexFormat.of()
                    .formatHex("{\"id\":-5}".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    assertThat(JsonSerde.of(Number.class).schema()).isEqualTo(new Schema.Basic("json"));
  }

  @Test
  void whatWasStoredIsReadAsWhatTheTypeIsNow() {
    Serde<Renewed> current = JsonSerde.of(Renewed.class);
    Serde<Order> old = JsonSerde.of(Order.class);
    Reading.Readable<Renewed> reading =
        current.reading(old.schema()).orThrow("state 's'", ErrorContext.NONE);
    assertThat(reading.asStored()).isTrue();
    Order order = new Order(1, "gone", List.of(2), Instant.EPOCH);
    assertThat(reading.reader().read(new ByteReader(bytes(old, order))))
        .isEqualTo(new Renewed(1, List.of(2L), Instant.EPOCH, false, null));
  }

  @Test
  void jsonLivesInsideOtherFormsAndIsShownWithoutItsClass() {
    Serde<List<Number>> serde = Serdes.list(JsonSerde.of(Number.class));
    List<Number> value = Arrays.asList(new Number(1), null);
    assertThat(trip(serde, value)).isEqualTo(value);
    assertThat(serde.schema().reader().read(new ByteReader(bytes(serde, value))))
        .isEqualTo(Arrays.asList("{\"id\":1}", null));
  }

  @Test
  void jsonAndOtherFormsAreNotTheSame() {
    assertThat(((Reading.Refused<?>) Serdes.string().reading(new Schema.Basic("json"))).reason())
        .isEqualTo("stored json, expected string: a json cannot be read as a string");
    assertThat(
            ((Reading.Refused<?>)
                    JsonSerde.of(Number.class).reading(Serdes.of(Number.class).schema()))
                .reason())
        .isEqualTo(
            "stored Number{id: long}, expected json: the serde 'json<"
                + Number.class.getName()
                + ">' reads its own schema only");
  }

  @Test
  void aMapperOfOnesOwnMayBeStricter() {
    JsonMapper strict =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    byte[] bytes = bytes(JsonSerde.of(Order.class), new Order(1, "n", List.of(), Instant.EPOCH));
    assertThatThrownBy(() -> JsonSerde.of(strict, Number.class).read(new ByteReader(bytes)))
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED))
        .hasMessageContaining("a value cannot be read from JSON")
        .hasMessageContaining("json<" + Number.class.getName() + ">");
    assertThat(JsonSerde.of(strict, new TypeRef<List<Number>>() {}).deterministic()).isFalse();
  }

  @Test
  void damagedBytesAreAClearError() {
    Serde<Order> serde = JsonSerde.of(Order.class);
    byte[] bytes = bytes(serde, new Order(1, "n", List.of(1, 2), Instant.EPOCH));
    for (int length = 0; length < bytes.length; length++) {
      ByteReader input = new ByteReader(bytes, 0, length);
      assertThatThrownBy(() -> serde.read(input))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED));
    }
    for (int i = 0; i < 5_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        serde.read(new ByteReader(damaged));
      } catch (StreamForgeException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED);
      }
    }
    String deep = "[".repeat(100_000);
    ByteWriter writer = new ByteWriter();
    writer.writeString(deep);
    assertThatThrownBy(() -> JsonSerde.of(Bean.class).read(new ByteReader(writer.toByteArray())))
        .isInstanceOf(StreamForgeException.class);
    ByteWriter nothing = new ByteWriter();
    nothing.writeString("null");
    assertThatThrownBy(() -> serde.read(new ByteReader(nothing.toByteArray())))
        .hasMessageContaining("it is null");
  }

  @Test
  void aValueThatContainsItselfIsAClearError() {
    Bean bean = new Bean();
    bean.more.put("self", bean);
    assertThatThrownBy(() -> JsonSerde.of(Bean.class).write(bean, new ByteWriter()))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("a value cannot be written as JSON");
  }

  private static <T> T trip(Serde<T> serde, T value) {
    ByteReader input = new ByteReader(bytes(serde, value));
    T back = serde.read(input);
    assertThat(input.remaining()).isZero();
    return back;
  }

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    ByteWriter output = new ByteWriter();
    serde.write(value, output);
    return output.toByteArray();
  }
}
