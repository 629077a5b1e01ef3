package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A record or an object of a plain class: see {@link StructureLayout} for the bits of what is null;
 * the fields follow in their order.
 */
final class StructureSerde<R> implements Serde<R> {
  private final Shape<R> shape;
  private final List<Member> members;
  private final List<Absence> absences;
  private final Serde<Object>[] serdes;
  private final StructureLayout layout;
  private final boolean deterministic;
  private final String name;

  /**
   * A serde of a class.
   *
   * @param serdes of the members in their order
   */
  @SuppressWarnings("unchecked")
  StructureSerde(
      Shape<R> shape, List<Member> members, List<Serde<?>> serdes, List<Absence> absences) {
    this.shape = shape;
    this.members = List.copyOf(members);
    this.absences = List.copyOf(absences);
    this.serdes = new Serde[serdes.size()];
    boolean[] nullable = new boolean[this.serdes.length];
    StringJoiner described = new StringJoiner(", ", shape.type.getName() + "(", ")");
    boolean allDeterministic = true;
    for (int i = 0; i < nullable.length; i++) {
      this.serdes[i] = (Serde<Object>) FramedSerde.part(serdes.get(i));
      nullable[i] = !members.get(i).primitive();
      allDeterministic &= serdes.get(i).deterministic();
      described.add(members.get(i).name() + ": " + serdes.get(i).name());
    }
    this.layout = StructureLayout.of(nullable);
    this.deterministic = allDeterministic;
    this.name = described.toString();
  }

  /** Of a record whose members have no defaults. */
  static <R> StructureSerde<R> ofRecord(Class<R> type, List<Serde<?>> serdes) {
    List<Member> members = new ArrayList<>();
    List<Absence> absences = new ArrayList<>();
    for (int i = 0; i < serdes.size(); i++) {
      Member member = Member.of(type.getRecordComponents()[i]);
      members.add(member);
      absences.add(Absence.of(member, serdes.get(i), false));
    }
    return new StructureSerde<>(Shape.ofRecord(type), members, serdes, absences);
  }

  Class<R> type() {
    return shape.type;
  }

  List<Member> members() {
    return members;
  }

  Serde<?> serde(int member) {
    return serdes[member];
  }

  Absence absence(int member) {
    return absences.get(member);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // classes
  public void write(R value, ByteWriter output) {
    if (value.getClass() != shape.type) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "an object of "
              + value.getClass().getName()
              + " is written as a "
              + shape.type.getName()
              + ", which would lose what it has more",
          "Seal the type with all its subtypes, or pass a serde of your own with typed(...).",
          null);
    }
    @Nullable Object[] fields = new Object[serdes.length];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = field(value, i);
    }
    layout.writeFlags(fields, output);
    for (int i = 0; i < fields.length; i++) {
      Object field = fields[i];
      if (field != null) {
        serdes[i].write(field, output);
      }
    }
  }

  private @Nullable Object field(Object value, int at) {
    try {
      return shape.get(value, at);
    } catch (Throwable e) {
      throw failed("an accessor of " + shape.describe() + " failed", e);
    }
  }

  @Override
  public R read(ByteReader input) {
    byte[] flags = layout.readFlags(input);
    @Nullable Object[] fields = new Object[serdes.length];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = layout.isNull(flags, i) ? null : serdes[i].read(input);
    }
    return make(fields);
  }

  /** Makes an object of its fields, in the order of the members. */
  @SuppressWarnings("unchecked")
  R make(@Nullable Object[] fields) {
    try {
      return (R) shape.make(fields);
    } catch (Throwable e) {
      throw failed("the constructor of " + shape.describe() + " refuses what was stored", e);
    }
  }

  private static StreamForgeException failed(String what, Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new StreamForgeException(ErrorCode.SERDE_FAILED, ErrorContext.NONE, what, e);
  }

  @Override
  public boolean deterministic() {
    return deterministic;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Schema schema() {
    List<Schema.Field> fields = new ArrayList<>();
    for (int i = 0; i < serdes.length; i++) {
      Member member = members.get(i);
      fields.add(new Schema.Field(member.name(), !member.primitive(), serdes[i].schema()));
    }
    return new Schema.Structure(shape.type.getName(), fields);
  }

  @Override
  public String toString() {
    return name;
  }
}
