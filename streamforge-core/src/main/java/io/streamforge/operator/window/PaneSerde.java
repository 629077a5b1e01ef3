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
import io.streamforge.time.TimeDomain;
import java.util.List;

/** Writes panes; what it can read depends on the accumulator alone. */
@Specialised
final class PaneSerde implements Serde<Pane> {
  private static final String NAME = "Pane";

  private final Serde<Object> accumulator;
  private final Serde<Object> delimited;

  private PaneSerde(Serde<Object> accumulator) {
    this.accumulator = accumulator;
    this.delimited = Serdes.delimited(accumulator);
  }

  /** With accumulators of this form; missing when that is. */
  static Inferred form(Inferred accumulators) {
    return accumulators instanceof Inferred.Found found
        ? new Inferred.Found(of(found))
        : accumulators;
  }

  @SuppressWarnings("unchecked")
  static PaneSerde of(Inferred.Found accumulators) {
    return new PaneSerde((Serde<Object>) accumulators.serde());
  }

  @Override
  public void write(Pane pane, ByteWriter output) {
    delimited.write(pane.accumulator, output);
    output.writeSignedVarLong(pane.count);
    output.writeSignedVarLong(pane.countSinceFiring);
    output.writeSignedVarLong(pane.triggerMemory);
    pane.timers(TimeDomain.EVENT).write(output);
    pane.timers(TimeDomain.PROCESSING).write(output);
  }

  @Override
  public Pane read(ByteReader input) {
    return read(delimited, input);
  }

  private static Pane read(ValueReader<Object> accumulators, ByteReader input) {
    Pane pane = new Pane(accumulators.read(input));
    pane.count = input.readSignedVarLong();
    pane.countSinceFiring = input.readSignedVarLong();
    pane.triggerMemory = input.readSignedVarLong();
    pane.restoreTimers(TimeSet.read(input), TimeSet.read(input));
    return pane;
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public String name() {
    return "pane of " + accumulator.name();
  }

  @Override
  public Schema schema() {
    return schema(accumulator.schema());
  }

  private static Schema schema(Schema accumulator) {
    Schema longs = Serdes.longs().schema();
    Schema times = Serdes.list(Serdes.longs()).schema();
    return new Schema.Structure(
        NAME,
        List.of(
            new Schema.Field("accumulator", false, accumulator),
            new Schema.Field("count", false, longs),
            new Schema.Field("countSinceFiring", false, longs),
            new Schema.Field("triggerMemory", false, longs),
            new Schema.Field("eventTimers", false, times),
            new Schema.Field("processingTimers", false, times)));
  }

  @Override
  public Reading<Pane> reading(Schema stored) {
    Schema before =
        stored instanceof Schema.Structure pane && !pane.fields().isEmpty()
            ? pane.fields().get(0).schema()
            : null;
    if (before == null || !stored.equals(schema(before))) {
      return Serde.super.reading(stored);
    }
    Reading<Object> reading = accumulator.reading(before);
    if (!(reading instanceof Reading.Readable<Object> readable)) {
      return new Reading.Refused<>(((Reading.Refused<Object>) reading).mismatches());
    }
    ValueReader<Object> reader = Serdes.delimited(readable.reader(), before);
    return new Reading.Readable<>(input -> read(reader, input), readable.asStored());
  }
}
