package io.streamforge.operator.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Window;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What windows keep is stored as its schema says, so that it can be shown without these classes.
 */
class WindowSerdesTest {
  private static final Inferred STRINGS = new Inferred.Found(Serdes.string());

  @SuppressWarnings("unchecked")
  private static Serde<KeySessions> sessions() {
    return (Serde<KeySessions>) ((Inferred.Found) KeySessionsSerde.form(STRINGS)).serde();
  }

  private static KeySessions example() {
    Pane pane = new Pane("ab");
    pane.count = 7;
    pane.countSinceFiring = 2;
    pane.triggerMemory = -5;
    pane.addTimer(TimeDomain.EVENT, 30);
    pane.addTimer(TimeDomain.EVENT, 20);
    pane.addTimer(TimeDomain.PROCESSING, 99);
    Session session = new Session(10, 40, pane);
    session.closed = true;
    session.shown.add(new Window(10, 25));
    session.shown.add(new Window(26, 40));
    KeySessions known = new KeySessions(-3);
    known.sessions.add(session);
    known.sessions.add(new Session(100, 120, new Pane("c")));
    return known;
  }

  private static byte[] bytes(KeySessions known) {
    ByteWriter output = new ByteWriter();
    sessions().write(known, output);
    return output.toByteArray();
  }

  @Test
  void whatWasWrittenIsReadByItsSchemaAlone() {
    ByteReader input = new ByteReader(bytes(example()));
    Object read = sessions().schema().reader().read(input);

    assertThat(input.remaining()).isZero();
    assertThat(read)
        .hasToString(
            "StoredStructure[type=Sessions, fields={boundMillis=-3, sessions=["
                + "StoredStructure[type=Session, fields={startMillis=10, endMillis=40, closed=true,"
                + " shown=[10, 25, 26, 40], pane=StoredStructure[type=Pane,"
                + " fields={accumulator=ab, count=7, countSinceFiring=2, triggerMemory=-5,"
                + " eventTimers=[20, 30], processingTimers=[99]}]}],"
                + " StoredStructure[type=Session, fields={startMillis=100, endMillis=120,"
                + " closed=false, shown=[], pane=StoredStructure[type=Pane, fields={accumulator=c,"
                + " count=0, countSinceFiring=0, triggerMemory=0, eventTimers=[],"
                + " processingTimers=[]}]}]]}]");
  }

  @Test
  void whatWasReadIsWrittenAsItWas() {
    byte[] bytes = bytes(example());
    KeySessions read = sessions().read(new ByteReader(bytes));

    assertThat(bytes(read)).isEqualTo(bytes);
    read.sessions.get(0).shown.clear(); // can be changed
    assertThat(read.sessions.get(0).pane.takeTimer(TimeDomain.EVENT, 20)).isTrue();
  }

  @Test
  void aPaneWithOtherFieldsIsRefusedAndOneWithAnEvolvedAccumulatorIsNot() {
    PaneSerde panes = PaneSerde.of(new Inferred.Found(Serdes.longs()));
    Schema.Structure now = (Schema.Structure) panes.schema();
    Schema less = new Schema.Structure("Pane", now.fields().subList(0, 5));
    Schema ofInts = PaneSerde.of(new Inferred.Found(Serdes.ints())).schema();

    assertThat(panes.reading(less)).isInstanceOf(Reading.Refused.class);
    assertThat(panes.reading(ofInts)).isInstanceOf(Reading.Readable.class);
    assertThat(panes.reading(PaneSerde.of(new Inferred.Found(Serdes.uuids())).schema()))
        .isInstanceOf(Reading.Refused.class);
  }

  @Test
  void aTupleIsReadPartByPart() {
    Serde<Object[]> before = Serdes.tuple(List.of(Serdes.ints(), Serdes.string()));
    Serde<Object[]> now = Serdes.tuple(List.of(Serdes.longs(), Serdes.string()));
    ByteWriter output = new ByteWriter();
    before.write(new Object[] {5, "x"}, output);

    Reading<Object[]> reading = now.reading(before.schema());
    assertThat(reading).isInstanceOf(Reading.Readable.class);
    Object[] read =
        ((Reading.Readable<Object[]>) reading).reader().read(new ByteReader(output.toByteArray()));
    assertThat(read).containsExactly(5L, "x");
    assertThat(Serdes.tuple(List.of(Serdes.longs())).reading(before.schema()))
        .isInstanceOf(Reading.Refused.class);
  }
}
