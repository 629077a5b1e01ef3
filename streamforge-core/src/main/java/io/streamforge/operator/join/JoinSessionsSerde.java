package io.streamforge.operator.join;

import io.streamforge.operator.Values;
import io.streamforge.operator.join.JoinSessions.JoinSession;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.specialise.Specialised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the sessions of a key; what it can read depends on their rows alone. */
@Specialised
final class JoinSessionsSerde implements Serde<JoinSessions> {
  private static final String NAME = "JoinSessions";

  private final Serde<JoinRows> rows;

  private JoinSessionsSerde(Serde<JoinRows> rows) {
    this.rows = rows;
  }

  /** With rows of this form; missing when that is. */
  static Inferred form(Inferred rows) {
    return rows instanceof Inferred.Found found
        ? new Inferred.Found(new JoinSessionsSerde(Values.cast(found.serde())))
        : rows;
  }

  @Override
  public void write(JoinSessions known, ByteWriter output) {
    output.writeSignedVarLong(known.boundMillis);
    output.writeListSize(known.sessions.size());
    for (JoinSession session : known.sessions) {
      output.writeSignedVarLong(session.startMillis);
      output.writeSignedVarLong(session.endMillis);
      rows.write(session.rows, output);
    }
  }

  @Override
  public JoinSessions read(ByteReader input) {
    return read(rows, input);
  }

  private static JoinSessions read(ValueReader<JoinRows> rows, ByteReader input) {
    JoinSessions known = new JoinSessions(input.readSignedVarLong());
    for (int i = input.readListSize(); i > 0; i--) {
      long startMillis = input.readSignedVarLong();
      long endMillis = input.readSignedVarLong();
      known.sessions.add(new JoinSession(startMillis, endMillis, rows.read(input)));
    }
    return known;
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public String name() {
    return "sessions with " + rows.name();
  }

  @Override
  public Schema schema() {
    return schema(rows.schema());
  }

  private static Schema schema(Schema rows) {
    Schema longs = Serdes.longs().schema();
    Schema session =
        new Schema.Structure(
            "JoinSession",
            List.of(
                new Schema.Field("startMillis", false, longs),
                new Schema.Field("endMillis", false, longs),
                new Schema.Field("rows", false, rows)));
    return new Schema.Structure(
        NAME,
        List.of(
            new Schema.Field("boundMillis", false, longs),
            new Schema.Field("sessions", false, new Schema.Sequence("list", session))));
  }

  @Override
  public Reading<JoinSessions> reading(Schema stored) {
    Schema before = rowsOf(stored);
    if (before == null || !stored.equals(schema(before))) {
      return Serde.super.reading(stored);
    }
    Reading<JoinRows> reading = rows.reading(before);
    if (reading instanceof Reading.Readable<JoinRows> readable) {
      return new Reading.Readable<>(input -> read(readable.reader(), input), readable.asStored());
    }
    return new Reading.Refused<>(((Reading.Refused<JoinRows>) reading).mismatches());
  }

  /** What a schema of this form says of rows; null when it is of another form. */
  private static @Nullable Schema rowsOf(Schema stored) {
    return stored instanceof Schema.Structure sessions
            && sessions.name().equals(NAME)
            && sessions.fields().size() == 2
            && sessions.fields().get(1).schema() instanceof Schema.Sequence list
            && list.elements() instanceof Schema.Structure session
            && session.fields().size() == 3
        ? session.fields().get(2).schema()
        : null;
  }
}
