package io.streamforge.serde;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.FieldSteps.FieldStep;
import io.streamforge.serde.Reading.Mismatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how values of a stored schema are read as what a serde reads now; an instance serves
 * one question. Everything that does not fit is found, not only the first.
 */
final class Evolution {
  /** Stands for a field that is refused. */
  private static final FieldStep NOTHING = new FieldStep(input -> null, false, null);

  /*
   * A type that contains itself is taken to be read as stored where it does (the greatest fixpoint);
   * if the whole then turns out not to be, all is derived once more with converting readers there.
   */
  private final boolean recursionAsStored;

  private final List<Mismatch> mismatches = new ArrayList<>();
  private final Map<Stored, Map<Serde<?>, Deferred<Object>>> open = new IdentityHashMap<>();

  private Evolution(boolean recursionAsStored) {
    this.recursionAsStored = recursionAsStored;
  }

  /**
   * How a part is read.
   *
   * @param reader of the stored bytes
   * @param asStored whether the current serde reads and writes the same bytes
   * @param ofNull what a stored null is now; null: null
   */
  private record Step(
      ValueReader<Object> reader, boolean asStored, @Nullable Supplier<Object> ofNull) {
    static Step asStored(Serde<?> serde) {
      return new Step(serde::read, true, null);
    }

    static Step converted(ValueReader<Object> reader) {
      return new Step(reader, false, null);
    }
  }

  @SuppressWarnings("unchecked")
  static <T> Reading<T> reading(Serde<T> current, Schema stored) {
    if (stored.equals(current.schema())) {
      return Reading.asStored(current);
    }
    if (!builtIn(current)) {
      return Reading.refused(
          stored,
          current.schema(),
          "the serde '" + current.name() + "' reads its own schema only",
          "Override reading(Schema) of this serde so that it also reads what was stored.");
    }
    Evolution first = new Evolution(true);
    Step step = first.step(Stored.root(stored), current, Place.ROOT);
    if (step == null || !first.mismatches.isEmpty()) {
      return new Reading.Refused<>(first.mismatches);
    }
    if (step.asStored()) {
      return Reading.asStored(current);
    }
    Step converting = new Evolution(false).step(Stored.root(stored), current, Place.ROOT);
    if (converting == null) {
      throw new IllegalStateException("refused the second time only: " + stored);
    }
    return Reading.converted((ValueReader<T>) converting.reader());
  }

  private static boolean builtIn(Serde<?> serde) {
    return serde instanceof Scalar<?>
        || serde instanceof EnumSerde<?>
        || serde instanceof StructureSerde<?>
        || serde instanceof UnionSerde<?>
        || serde instanceof CollectionSerde<?, ?>
        || serde instanceof ArraySerde<?>
        || serde instanceof MapSerde<?, ?, ?>
        || serde instanceof OptionalSerde<?>
        || serde instanceof MappedSerde<?, ?>
        || serde instanceof FramedSerde<?>
        || serde instanceof RecursiveSerde<?>;
  }

  /** How a part is read; null when it cannot be, which is noted. */
  private @Nullable Step step(Stored stored, Serde<?> serde, Place place) {
    Schema schema = stored.schema();
    if (serde instanceof RecursiveSerde<?> inside) {
      return step(stored, inside.whole(), place);
    }
    if (serde instanceof FramedSerde<?> framed) {
      return step(stored, framed.inner(), place);
    }
    if (!builtIn(serde)) {
      return custom(schema, serde, place);
    }
    if (serde instanceof MappedSerde<?, ?> mapped) {
      return mapped(stored, mapped, place);
    }
    if (serde instanceof OptionalSerde<?> optional) {
      return optional(stored, optional, place);
    }
    if (schema instanceof Schema.OptionalValue) {
      return refuse(
          schema,
          serde,
          place,
          "an optional may be empty, which " + noun(serde.schema()) + " may not",
          "Keep it an optional; a field may also have a @Default or be @Nullable.");
    }
    if (serde instanceof UnionSerde<?> union) {
      return inScope(stored, serde, () -> union(stored, union, place));
    }
    if (serde instanceof StructureSerde<?> structure) {
      return schema instanceof Schema.Structure from
          ? inScope(stored, serde, () -> structure(stored, from, structure, place))
          : refuseKind(schema, serde, place);
    }
    if (serde instanceof EnumSerde<?> constants) {
      return schema instanceof Schema.Enumeration from
          ? enumeration(from, constants, place)
          : refuseKind(schema, serde, place);
    }
    if (serde instanceof CollectionSerde<?, ?> || serde instanceof ArraySerde<?>) {
      return sequence(stored, serde, place);
    }
    if (serde instanceof MapSerde<?, ?, ?> map) {
      return schema instanceof Schema.Mapping from
          ? mapping(stored, from, map, place)
          : refuseKind(schema, serde, place);
    }
    return basic(schema, serde, place);
  }

  private @Nullable Step inScope(
      Stored stored, Serde<?> serde, Supplier<@Nullable Step> derivation) {
    Map<Serde<?>, Deferred<Object>> here =
        open.computeIfAbsent(stored, s -> new IdentityHashMap<>());
    Deferred<Object> before = here.get(serde);
    if (before != null) {
      return new Step(before, recursionAsStored, null);
    }
    Deferred<Object> deferred = new Deferred<>();
    here.put(serde, deferred);
    Step step = derivation.get();
    if (step != null) {
      deferred.bind(step.reader());
    }
    return step;
  }

  /** A serde of the user's own decides for itself. */
  private @Nullable Step custom(Schema stored, Serde<?> serde, Place place) {
    Reading<?> reading = serde.reading(stored);
    if (reading instanceof Reading.Refused<?> refused) {
      refused.mismatches().forEach(mismatch -> mismatches.add(place.around(mismatch)));
      return null;
    }
    Reading.Readable<?> readable = (Reading.Readable<?>) reading;
    ValueReader<?> reader = readable.reader();
    boolean framed = stored instanceof Schema.Opaque && !place.isRoot();
    return new Step(
        framed ? input -> FramedSerde.<Object>read(reader::read, input) : reader::read,
        readable.asStored(),
        null);
  }

  private <F> @Nullable Step mapped(Stored stored, MappedSerde<?, F> serde, Place place) {
    Step step = step(stored, serde.form(), place);
    if (step == null) {
      return null;
    }
    @SuppressWarnings("unchecked")
    Function<Object, Object> back = value -> serde.back((F) value);
    Supplier<Object> ofNull = step.ofNull();
    return new Step(
        input -> back.apply(step.reader().read(input)),
        step.asStored(),
        ofNull == null ? null : () -> back.apply(ofNull.get()));
  }

  private @Nullable Step optional(Stored stored, OptionalSerde<?> serde, Place place) {
    if (stored.schema() instanceof Schema.OptionalValue from) {
      Step value = step(stored.part(from.value()), serde.value(), place);
      return value == null
          ? null
          : new Step(
              input ->
                  input.readBoolean() ? Optional.of(value.reader().read(input)) : Optional.empty(),
              value.asStored(),
              null);
    }
    Step value = step(stored, serde.value(), place);
    return value == null
        ? null
        : new Step(input -> Optional.of(value.reader().read(input)), false, Optional::empty);
  }

  private @Nullable Step enumeration(Schema.Enumeration stored, EnumSerde<?> serde, Place place) {
    if (!sameName(stored.name(), serde.type())) {
      return refuseName(stored, serde, serde.type(), place);
    }
    Map<String, Object> constants = new HashMap<>();
    List<String> gone = new ArrayList<>();
    boolean asStored = true;
    for (String name : stored.constants()) {
      Object constant = serde.constant(name);
      if (constant == null) {
        constant = serde.successor(name);
        asStored = false;
      }
      if (constant == null) {
        gone.add(name);
      } else {
        constants.put(name, constant);
      }
    }
    if (!gone.isEmpty()) {
      String names = String.join(", ", gone);
      return refuse(
          stored,
          serde,
          place,
          (gone.size() == 1 ? "the constant " : "the constants ")
              + names
              + (gone.size() == 1 ? " is gone" : " are gone"),
          "Put back what is gone, or annotate the constant that takes its place with @Previously(\""
              + gone.get(0)
              + "\").");
    }
    return asStored
        ? Step.asStored(serde)
        : Step.converted(
            input -> {
              String name = input.readString();
              Object constant = constants.get(name);
              // One that the stored schema has not is damage, unless the class still knows it.
              return constant != null ? constant : constantOf(serde, name);
            });
  }

  private static Object constantOf(EnumSerde<?> serde, String name) {
    Object constant = serde.constant(name);
    if (constant == null) {
      throw ByteReader.malformed(
          "'" + EnumSerde.shortened(name) + "' is not a constant of " + serde.name());
    }
    return constant;
  }

  private @Nullable Step sequence(Stored stored, Serde<?> serde, Place place) {
    String form =
        serde instanceof CollectionSerde<?, ?> collection ? collection.kind() : ArraySerde.KIND;
    if (!(stored.schema() instanceof Schema.Sequence from)) {
      return refuseKind(stored.schema(), serde, place);
    }
    if (isSet(form) && !isSet(from.form())) {
      return refuse(
          from,
          serde,
          place,
          noun(from) + " may have equal elements, of which " + noun(serde.schema()) + " has one",
          "Keep " + noun(from) + ", and make the set of it where it is used.");
    }
    Serde<?> elementSerde =
        serde instanceof CollectionSerde<?, ?> collection
            ? collection.elements()
            : ((ArraySerde<?>) serde).elements();
    Step elements = step(stored.part(from.elements()), elementSerde, place.inside("element"));
    if (elements == null) {
      return null;
    }
    return new Step(sequenceReader(serde, elements), elements.asStored(), null);
  }

  @SuppressWarnings("unchecked")
  private static ValueReader<Object> sequenceReader(Serde<?> serde, Step elements) {
    if (serde instanceof CollectionSerde<?, ?>) {
      CollectionSerde<Object, ?> collection = (CollectionSerde<Object, ?>) serde;
      return input -> collection.read(elements.reader(), elements.ofNull(), input);
    }
    ArraySerde<Object> array = (ArraySerde<Object>) serde;
    return input -> array.read(elements.reader(), elements.ofNull(), input);
  }

  private static boolean isSet(String form) {
    return form.endsWith("set");
  }

  @SuppressWarnings("unchecked")
  private @Nullable Step mapping(
      Stored stored, Schema.Mapping from, MapSerde<?, ?, ?> serde, Place place) {
    Step keys = step(stored.part(from.keys()), serde.keys(), place.inside("key"));
    Step values = step(stored.part(from.values()), serde.values(), place.inside("value"));
    if (keys == null || values == null) {
      return null;
    }
    MapSerde<Object, Object, ?> map = (MapSerde<Object, Object, ?>) serde;
    return new Step(
        input -> map.read(keys.reader(), values.reader(), keys.ofNull(), values.ofNull(), input),
        keys.asStored() && values.asStored(),
        null);
  }

  private @Nullable Step basic(Schema schema, Serde<?> serde, Place place) {
    String form = serde.name();
    if (schema instanceof Schema.Enumeration && serde == Scalars.STRING) {
      return Step.asStored(serde);
    }
    if (!(schema instanceof Schema.Basic stored)) {
      return refuseKind(schema, serde, place);
    }
    if (Widening.sameBytes(stored.form(), form)) {
      return Step.asStored(serde);
    }
    ValueReader<Object> reader = Widening.reader(stored.form(), form);
    return reader != null ? Step.converted(reader) : refuseKind(schema, serde, place);
  }

  private @Nullable Step union(Stored stored, UnionSerde<?> serde, Place place) {
    Schema schema = stored.schema();
    if (schema instanceof Schema.Structure || schema instanceof Schema.Enumeration) {
      String name =
          schema instanceof Schema.Structure structure
              ? structure.name()
              : ((Schema.Enumeration) schema).name();
      UnionSerde.Alternative alternative = alternative(serde, SchemaText.simple(name));
      if (alternative == null) {
        return refuseKind(schema, serde, place);
      }
      Step step = step(stored, alternative.serde(), place);
      return step == null ? null : Step.converted(step.reader());
    }
    if (!(schema instanceof Schema.Union from)) {
      return refuseKind(schema, serde, place);
    }
    Map<String, ValueReader<Object>> readers = new HashMap<>();
    boolean asStored = true;
    for (Schema.Alternative alternative : from.alternatives()) {
      String name = alternative.name();
      UnionSerde.Alternative now = alternative(serde, name);
      if (now == null) {
        refuse(
            from,
            serde,
            place,
            "the subtype " + name + " is gone",
            "Put it back, or annotate the subtype that takes its place with @Previously(\""
                + name
                + "\").");
        continue;
      }
      Step step =
          step(
              stored.part(alternative.schema()),
              now.serde(),
              place.inside("subtype '" + name + "'"));
      if (step != null) {
        readers.put(name, step.reader());
        asStored &= step.asStored() && now.name().equals(name);
      }
    }
    return readers.size() < from.alternatives().size()
        ? null
        : new Step(
            input -> UnionSerde.alternative(readers, from.name(), input).read(input),
            asStored,
            null);
  }

  private static UnionSerde.@Nullable Alternative alternative(UnionSerde<?> serde, String name) {
    List<UnionSerde.Alternative> alternatives = serde.alternatives();
    for (UnionSerde.Alternative alternative : alternatives) {
      if (alternative.name().equals(name)) {
        return alternative;
      }
    }
    for (UnionSerde.Alternative alternative : alternatives) {
      if (alternative.previously(name)) {
        return alternative;
      }
    }
    return null;
  }

  private @Nullable Step structure(
      Stored stored, Schema.Structure from, StructureSerde<?> serde, Place outer) {
    if (!sameName(from.name(), serde.type())) {
      return refuseName(from, serde, serde.type(), outer);
    }
    List<Member> members = serde.members();
    List<Schema.Field> fields = from.fields();
    int[] targets = FieldSteps.targets(fields, members);
    Place place = outer.within(from, serde.schema());
    int before = mismatches.size();
    boolean asStored = fields.size() == members.size();
    FieldStep[] steps = new FieldStep[fields.size()];
    boolean[] found = new boolean[members.size()];
    for (int i = 0; i < steps.length; i++) {
      int target = targets[i];
      if (target < 0) {
        steps[i] = skipped(stored.part(fields.get(i).schema()), fields.get(i), serde, place);
      } else {
        found[target] = true;
        steps[i] = field(stored, fields.get(i), serde, target, place);
      }
      asStored &= target == i && steps[i].asStored();
    }
    for (int i = 0; i < found.length; i++) {
      if (!found[i] && !serde.absence(i).known()) {
        refuse(
            from,
            serde,
            place.inside("field '" + members.get(i).name() + "'"),
            "it was not stored and has no default",
            "Annotate it with @Default(\"...\"), or @Nullable, make it an Optional, or name the field"
                + " that it was with @Previously(\"...\").");
      }
    }
    return mismatches.size() > before
        ? null
        : new Step(FieldSteps.reader(from, serde, targets, found, steps), asStored, null);
  }

  private FieldStep skipped(
      Stored stored, Schema.Field field, StructureSerde<?> serde, Place place) {
    try {
      return new FieldStep(StoredReaders.part(stored)::read, false, null);
    } catch (StreamForgeException e) {
      refuse(
          stored.schema(),
          serde,
          place.inside("field '" + field.name() + "'"),
          "it is gone and cannot be skipped: " + e.summary(),
          e.remedy());
      return NOTHING;
    }
  }

  private FieldStep field(
      Stored structure, Schema.Field field, StructureSerde<?> serde, int target, Place outer) {
    Place place = outer.inside("field '" + serde.members().get(target).name() + "'");
    boolean primitive = serde.members().get(target).primitive();
    Absence absence = serde.absence(target);
    Stored stored = structure.part(field.schema());
    Serde<?> current = serde.serde(target);
    if (primitive && field.nullable() && absence.kind() != Absence.Kind.DEFAULT) {
      refuse(
          stored.schema(),
          current,
          place,
          "it may be null, which " + noun(current.schema()) + " may not",
          "Annotate it with the @Default(\"...\") that stands for null.");
      return NOTHING;
    }
    boolean maybeEmpty =
        stored.schema() instanceof Schema.OptionalValue
            && !(current instanceof OptionalSerde<?>)
            && builtIn(current)
            && !(current instanceof MappedSerde<?, ?>);
    if (maybeEmpty
        && (absence.kind() == Absence.Kind.DEFAULT || absence.kind() == Absence.Kind.NULL)) {
      Schema value = ((Schema.OptionalValue) stored.schema()).value();
      Step step = step(stored.part(value), current, place);
      return step == null
          ? NOTHING
          : new FieldStep(
              input -> input.readBoolean() ? step.reader().read(input) : absence.value().get(),
              false,
              absence.value());
    }
    Step step = step(stored, current, place);
    return step == null
        ? NOTHING
        : new FieldStep(
            step.reader()::read,
            step.asStored() && field.nullable() != primitive,
            primitive ? absence.value() : step.ofNull());
  }

  /** A class may move to another package or into another class; another name is declared. */
  private static boolean sameName(String stored, Class<?> type) {
    String name = SchemaText.simple(stored);
    return name.equals(SchemaText.simple(type.getName()))
        || Member.earlierNames(type).contains(name);
  }

  private @Nullable Step refuseName(Schema stored, Serde<?> serde, Class<?> type, Place place) {
    String before =
        SchemaText.simple(
            stored instanceof Schema.Structure structure
                ? structure.name()
                : ((Schema.Enumeration) stored).name());
    String now = SchemaText.simple(type.getName());
    return refuse(
        stored,
        serde,
        place,
        SchemaText.a(before) + " is not " + SchemaText.a(now),
        "If it is the same under another name, annotate "
            + now
            + " with @Previously(\""
            + before
            + "\").");
  }

  private @Nullable Step refuseKind(Schema stored, Serde<?> serde, Place place) {
    if (stored instanceof Schema.Opaque opaque) {
      return refuse(
          stored,
          serde,
          place,
          "only the serde '" + opaque.form() + "' can read it",
          "Pass that serde with typed(...) or @SerializedBy.");
    }
    Schema expected = serde.schema();
    String reason =
        stored instanceof Schema.Basic from && expected instanceof Schema.Basic to
            ? Widening.reason(from.form(), to.form())
            : noun(stored) + " cannot be read as " + noun(expected);
    return refuse(
        stored,
        serde,
        place,
        reason,
        place.isRoot()
            ? "Keep the old type, or store the new one under another name."
            : "Keep the old type under its name, and add what has the new type under another name,"
                + " with a default.");
  }

  private @Nullable Step refuse(
      Schema stored, Serde<?> serde, Place place, String reason, String remedy) {
    Serde<?> whole = serde instanceof RecursiveSerde<?> inside ? inside.whole() : serde;
    mismatches.add(place.mismatch(stored, whole.schema(), reason, remedy));
    return null;
  }

  /** A schema with an article. */
  private static String noun(Schema schema) {
    if (schema instanceof Schema.Sequence sequence) {
      return SchemaText.a(sequence.form());
    }
    if (schema instanceof Schema.Mapping mapping) {
      return SchemaText.a(mapping.form());
    }
    return schema instanceof Schema.OptionalValue
        ? "an optional"
        : SchemaText.a(SchemaText.inner(schema));
  }
}
