package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.streamforge.error.ErrorContext;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Default;
import io.streamforge.serde.Previously;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.SerializedBy;
import io.streamforge.serde.TypeRef;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code docs/serdes.md} shows. */
class SerdesTest {
  interface Before {
    // tag::before[]
    enum Status {
      OPEN,
      PAYED
    }

    record Order(long id, int amount, Status status, String customer) {}
    // end::before[]
  }

  interface After {
    // tag::after[]
    enum Status {
      OPEN,
      @Previously("PAYED")
      PAID,
      CANCELLED
    }

    record Order(
        long id,
        long amount, // was an int
        Status status,
        @Previously("customer") String customerId,
        @Default("EUR") String currency,
        @Default("") List<String> tags,
        Optional<String> coupon) {}
    // end::after[]
  }

  interface Wrong {
    record Order(long id, String amount, Before.Status status, String customer) {}
  }

  @Test
  void aRecordEvolves() {
    Before.Order stored = new Before.Order(1, 20, Before.Status.PAYED, "c7");
    // tag::reading[]
    Serde<Before.Order> before = Serdes.of(Before.Order.class);
    byte[] schema = before.schema().toBytes(); // stored once
    byte[] value = bytes(before, stored); // stored for each key

    Reading<After.Order> reading =
        Serdes.of(After.Order.class).reading(Schema.read(new ByteReader(schema)));
    After.Order read =
        reading
            .orThrow("state 'orders' of node 'per-customer'", ErrorContext.NONE)
            .reader()
            .read(new ByteReader(value));
    // end::reading[]
    assertThat(read)
        .isEqualTo(
            new After.Order(1, 20, After.Status.PAID, "c7", "EUR", List.of(), Optional.empty()));
  }

  @Test
  void whatCannotBeReadIsExplained() {
    Throwable error =
        catchThrowable(
            () ->
                Serdes.of(Wrong.Order.class)
                    .reading(Serdes.of(Before.Order.class).schema())
                    .orThrow("state 'orders' of node 'per-customer'", ErrorContext.NONE));
    assertThat(error)
        .hasMessage(
            "STATE_INCOMPATIBLE: state 'orders' of node 'per-customer': stored Order{id: long,"
                + " amount: int, status: Status?, customer: string?}, expected Order{id: long,"
                + " amount: string?, status: Status?, customer: string?}: field 'amount': an int"
                + " cannot be read as a string\n"
                + "  Remedy: Keep the old type under its name, and add what has the new type under"
                + " another name, with a default.");
  }

  // tag::sealed[]
  sealed interface Payment permits Cash, Card {}

  record Cash(BigDecimal amount) implements Payment {}

  record Card(BigDecimal amount, String number) implements Payment {}

  // end::sealed[]

  // tag::plain[]
  /** Its constructor may be private; what is transient is not stored. */
  static final class Totals {
    private long orders;
    private BigDecimal revenue = BigDecimal.ZERO;
    private transient String rendered = "";

    void add(BigDecimal amount) {
      orders++;
      revenue = revenue.add(amount);
      rendered = orders + ": " + revenue;
    }
  }

  // end::plain[]

  @Test
  void serdesAreInferred() {
    // tag::inferred[]
    Serde<Payment> payments = Serdes.of(Payment.class);
    Serde<Map<String, List<Payment>>> byCustomer =
        Serdes.of(new TypeRef<Map<String, List<Payment>>>() {});
    Serde<Totals> totals = Serdes.of(Totals.class);
    // end::inferred[]
    Payment payment = new Card(BigDecimal.TEN, "4711");
    assertThat(trip(payments, payment)).isEqualTo(payment);
    assertThat(trip(byCustomer, Map.of("c", List.of(payment))))
        .isEqualTo(Map.of("c", List.of(payment)));
    Totals one = new Totals();
    one.add(BigDecimal.TEN);
    Totals back = trip(totals, one);
    assertThat(back.orders).isEqualTo(1);
    assertThat(back.revenue).isEqualTo(BigDecimal.TEN);
    assertThat(one.rendered).isEqualTo("1: 10");
    assertThat(back.rendered).isEmpty();
  }

  @Test
  void aTypeIsWrittenAsAnother() {
    // tag::mapped[]
    Serde<Currency> currencies =
        Serdes.mapped(
            "Currency", Serdes.string(), Currency::getCurrencyCode, Currency::getInstance);
    // end::mapped[]
    assertThat(trip(currencies, Currency.getInstance("EUR")))
        .isEqualTo(Currency.getInstance("EUR"));
  }

  // tag::own[]
  record Location(float latitude, float longitude) {}

  /** Version 2 packs both numbers into 32 bits each; version 1 wrote two floats. */
  static final class LocationSerde implements Serde<Location> {
    @Override
    public void write(Location value, ByteWriter output) {
      output.writeInt(Math.round(value.latitude() * 10_000_000));
      output.writeInt(Math.round(value.longitude() * 10_000_000));
    }

    @Override
    public Location read(ByteReader input) {
      return new Location(input.readInt() / 1e7f, input.readInt() / 1e7f);
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "location";
    }

    @Override
    public Schema schema() {
      return Schema.opaque("location", 2);
    }

    @Override
    public Reading<Location> reading(Schema stored) {
      return stored.equals(Schema.opaque("location", 1))
          ? Reading.converted(LocationSerde::readVersion1)
          : Serde.super.reading(stored);
    }

    private static Location readVersion1(ByteReader input) {
      return new Location(
          Float.intBitsToFloat(input.readInt()), Float.intBitsToFloat(input.readInt()));
    }
  }

  record Stop(String name, @SerializedBy(LocationSerde.class) Location location) {}

  // end::own[]

  @Test
  void aSerdeOfOnesOwnTakesPart() {
    Stop stop = new Stop("Main Street", new Location(48.5f, 9.25f));
    assertThat(trip(Serdes.of(Stop.class), stop)).isEqualTo(stop);
    ByteWriter version1 = new ByteWriter();
    version1.writeInt(Float.floatToIntBits(48.5f));
    version1.writeInt(Float.floatToIntBits(9.25f));
    Location read =
        new LocationSerde()
            .reading(Schema.opaque("location", 1))
            .orThrow("state 'stops'", ErrorContext.NONE)
            .reader()
            .read(new ByteReader(version1.toByteArray()));
    assertThat(read).isEqualTo(new Location(48.5f, 9.25f));
  }

  private static <T> T trip(Serde<T> serde, T value) {
    return serde.read(new ByteReader(bytes(serde, value)));
  }

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    ByteWriter output = new ByteWriter();
    serde.write(value, output);
    return output.toByteArray();
  }
}
