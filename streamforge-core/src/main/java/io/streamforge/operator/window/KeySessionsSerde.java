package io.streamforge.operator.window;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the sessions of a key; what it can read depends on the panes alone. */
@Specialised
final class KeySessionsSerde implements Serde<KeySessions> {
  private static final String NAME = "Sessions";

  private final PaneSerde panes;

  private KeySessionsSerde(PaneSerde panes) {
    this.panes = panes;
  }

  /** With accumulators of this form; missing when that is. */
  static Inferred form(Inferred accumulators) {
    return accumulators instanceof Inferred.Found found
        ? new Inferred.Found(new KeySessionsSerde(PaneSerde.of(found)))
        : accumulators;
  }

  @Override
  public void write(KeySessions known, ByteWriter output) {
    output.writeSignedVarLong(known.boundMillis);
    output.writeListSize(known.sessions.size());
    for (Session session : known.sessions) {
      output.writeSignedVarLong(session.startMillis);
      output.writeSignedVarLong(session.endMillis);
      output.writeBoolean(session.closed);
      output.writeListSize(session.shown.size() * 2);
      for (Window shown : session.shown) {
        output.writeSignedVarLong(shown.startMillis());
        output.writeSignedVarLong(shown.endMillis());
      }
      panes.write(session.pane, output);
    }
  }

  @Override
  public KeySessions read(ByteReader input) {
    return read(panes, input);
  }

  private static KeySessions read(ValueReader<Pane> panes, ByteReader input) {
    KeySessions known = new KeySessions(input.readSignedVarLong());
    int count = input.readListSize();
    for (int i = 0; i < count; i++) {
      long startMillis = input.readSignedVarLong();
      long endMillis = input.readSignedVarLong();
      boolean closed = input.readBoolean();
      Window[] shown = new Window[input.readListSize() / 2];
      for (int j = 0; j < shown.length; j++) {
        shown[j] = new Window(input.readSignedVarLong(), input.readSignedVarLong());
      }
      Session session = new Session(startMillis, endMillis, panes.read(input));
      session.closed = closed;
      session.shown.addAll(List.of(shown));
      known.sessions.add(session);
    }
    return known;
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public String name() {
    return "sessions with " + panes.name();
  }

  @Override
  public Schema schema() {
    return schema(panes.schema());
  }

  private static Schema schema(Schema pane) {
    Schema longs = Serdes.longs().schema();
    Schema session =
        new Schema.Structure(
            "Session",
            List.of(
                new Schema.Field("startMillis", false, longs),
                new Schema.Field("endMillis", false, longs),
                new Schema.Field("closed", false, Serdes.booleans().schema()),
                new Schema.Field("shown", false, Serdes.list(Serdes.longs()).schema()),
                new Schema.Field("pane", false, pane)));
    return new Schema.Structure(
        NAME,
        List.of(
            new Schema.Field("boundMillis", false, longs),
            new Schema.Field("sessions", false, new Schema.Sequence("list", session))));
  }

  @Override
  public Reading<KeySessions> reading(Schema stored) {
    Schema pane = paneOf(stored);
    if (pane == null || !stored.equals(schema(pane))) {
      return Serde.super.reading(stored);
    }
    Reading<Pane> reading = panes.reading(pane);
    if (reading instanceof Reading.Readable<Pane> readable) {
      return new Reading.Readable<>(input -> read(readable.reader(), input), readable.asStored());
    }
    return new Reading.Refused<>(((Reading.Refused<Pane>) reading).mismatches());
  }

  /** What a schema of this form says of panes; null when it is of another form. */
  private static @Nullable Schema paneOf(Schema stored) {
    return stored instanceof Schema.Structure sessions
            && sessions.name().equals(NAME)
            && sessions.fields().size() == 2
            && sessions.fields().get(1).schema() instanceof Schema.Sequence list
            && list.elements() instanceof Schema.Structure session
            && session.fields().size() == 5
        ? session.fields().get(4).schema()
        : null;
  }
}
