package io.streamforge.serde;

import io.streamforge.serde.Inferred.Found;
import io.streamforge.serde.Inferred.Missing;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the serde of one type. An instance serves one question. */
@SuppressWarnings({"unchecked", "rawtypes", "JdkObsolete"})
final class Inference {
  /** Types that stand for anything; a serde of them could write nothing. */
  private static final Set<Class<?>> TOO_VAGUE =
      Set.of(
          Object.class,
          Number.class,
          Comparable.class,
          CharSequence.class,
          java.io.Serializable.class,
          Record.class,
          Enum.class);

  /** Types within types, also of growing type arguments, go no deeper than this. */
  private static final int MAX_DEPTH = 64;

  /** Types that contain each other in all ways would otherwise be written out for very long. */
  private static final int MAX_PARTS = 10_000;

  /**
   * A record, class or sealed type whose parts are being looked at, and where it occurs in them.
   */
  private record Open(Type type, List<RecursiveSerde<?>> inside) {}

  /** Equal to no other: the objects of a sealed class that is not abstract, inside the union. */
  private static final Type ITSELF = new Type() {};

  private final List<Open> open = new ArrayList<>();
  private int parts;

  /** The serde of a type, or why there is none. */
  Inferred infer(Type type) {
    if (++parts > MAX_PARTS) {
      return new Missing(
          GenericTypes.erase(type).getName()
              + " is part of a type of over "
              + MAX_PARTS
              + " parts");
    }
    if (type instanceof Class<?> raw) {
      return ofClass(raw);
    }
    if (type instanceof ParameterizedType parameterized) {
      return ofParameterized(parameterized);
    }
    if (type instanceof GenericArrayType array) {
      return ofArray(array.getGenericComponentType());
    }
    if (type instanceof WildcardType wildcard) {
      return infer(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      return new Missing("the type parameter " + variable.getName() + " is not known");
    }
    return new Missing(type.getTypeName() + " is not a type that can be serialised");
  }

  private Inferred ofClass(Class<?> type) {
    Serde<?> scalar = Scalars.of(type);
    if (scalar != null) {
      return new Found(scalar);
    }
    if (TOO_VAGUE.contains(type)) {
      return new Missing(type.getName() + " says too little");
    }
    if (type.isEnum()) {
      return new Found(new EnumSerde(type));
    }
    if (type.isArray()) {
      return ofArray(type.getComponentType());
    }
    if (isContainer(type)) {
      return new Missing(type.getSimpleName() + " without " + whatItHolds(type));
    }
    return ofStructured(type, type);
  }

  /** The serde of a class that is not built in; {@code whole} has its type arguments. */
  private Inferred ofStructured(Type whole, Class<?> raw) {
    SerializedBy declared = raw.getAnnotation(SerializedBy.class);
    if (declared != null) {
      return declared(declared);
    }
    if (!raw.isRecord() && !raw.isSealed()) {
      if (raw.isInterface()) {
        return new Missing(
            "interface " + raw.getName() + " is neither sealed nor one of the built-in types");
      }
      if (PlainClass.ofTheJdk(raw)) {
        return new Missing(kind(raw) + " " + raw.getName() + " is not one of the built-in types");
      }
    }
    for (int at = open.size() - 1; at >= 0; at--) {
      if (open.get(at).type().equals(whole)) {
        RecursiveSerde<?> inside = new RecursiveSerde<>(raw.getName(), open.size() - at);
        open.get(at).inside().add(inside);
        return new Found(inside);
      }
    }
    if (open.size() == MAX_DEPTH) {
      return new Missing(
          kind(raw) + " " + raw.getName() + " contains itself with ever other type arguments");
    }
    Open entry = new Open(whole, new ArrayList<>());
    open.add(entry);
    try {
      Inferred inferred =
          raw.isRecord()
              ? ofRecord(whole, raw)
              : raw.isSealed() ? ofSealed(whole, raw) : ofPlainClass(whole, raw);
      if (inferred instanceof Found found) {
        entry.inside().forEach(inside -> inside.bind(found.serde()));
      }
      return inferred;
    } catch (InaccessibleObjectException e) {
      return new Missing(
          "module "
              + raw.getModule().getName()
              + " does not open package "
              + raw.getPackageName()
              + " to io.streamforge.core");
    } finally {
      open.remove(open.size() - 1);
    }
  }

  private static Inferred declared(SerializedBy declared) {
    try {
      Constructor<? extends Serde<?>> constructor = declared.value().getDeclaredConstructor();
      constructor.setAccessible(true);
      return new Found(constructor.newInstance());
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return new Missing(
          "its serde " + declared.value().getName() + " cannot be made without parameters");
    }
  }

  private static String kind(Class<?> type) {
    return type.isInterface() ? "interface" : type.isPrimitive() ? "type" : "class";
  }

  private static boolean isContainer(Class<?> type) {
    return Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || type == Optional.class
        || type == Iterable.class;
  }

  private static String whatItHolds(Class<?> type) {
    if (Map.class.isAssignableFrom(type)) {
      return "key and value type";
    }
    return type == Optional.class ? "value type" : "element type";
  }

  private Inferred ofArray(Type elementType) {
    Serde<?> primitive = PrimitiveArrays.of(elementType);
    if (primitive != null) {
      return new Found(primitive);
    }
    Inferred element = infer(elementType);
    return element instanceof Found found
        ? new Found(new ArraySerde(GenericTypes.erase(elementType), found.serde()))
        : element;
  }

  private Inferred ofParameterized(ParameterizedType parameterized) {
    Class<?> raw = (Class<?>) parameterized.getRawType();
    Type[] arguments = parameterized.getActualTypeArguments();
    if (!isContainer(raw)) {
      return ofStructured(parameterized, raw);
    }
    List<Serde<?>> serdes = new ArrayList<>();
    for (Type argument : arguments) {
      Inferred inferred = infer(argument);
      if (!(inferred instanceof Found found)) {
        return inferred;
      }
      serdes.add(found.serde());
    }
    if (raw == Optional.class) {
      return new Found(new OptionalSerde(serdes.get(0)));
    }
    if (Collection.class.isAssignableFrom(raw) && serdes.size() == 1) {
      return ofCollection(raw, arguments[0], serdes.get(0));
    }
    if (Map.class.isAssignableFrom(raw) && serdes.size() == 2) {
      return ofMap(raw, arguments[0], serdes.get(0), serdes.get(1));
    }
    return new Missing(kind(raw) + " " + raw.getName() + " is not one of the built-in types");
  }

  private static Inferred ofCollection(Class<?> raw, Type elementType, Serde element) {
    if (raw == List.class || raw == ArrayList.class) {
      return new Found(Serdes.list(element));
    }
    if (raw == Set.class || raw == HashSet.class || raw == LinkedHashSet.class) {
      return new Found(Serdes.set(element));
    }
    if (raw == SortedSet.class || raw == NavigableSet.class || raw == TreeSet.class) {
      return comparable(elementType)
          ? new Found(Serdes.sortedSet(element))
          : notComparable(raw, elementType);
    }
    if (raw == EnumSet.class) {
      Class<?> type = GenericTypes.erase(elementType);
      return new Found(Serdes.enumSet((Class) type));
    }
    if (raw == LinkedList.class) {
      return new Found(new CollectionSerde("linked-list", true, element, LinkedList::new));
    }
    if (raw == Collection.class) {
      return new Found(new CollectionSerde("collection", false, element, ArrayList::new));
    }
    if (raw == Deque.class || raw == Queue.class || raw == ArrayDeque.class) {
      return new Found(new CollectionSerde("deque", false, element, ArrayDeque::new));
    }
    return new Missing(
        kind(raw) + " " + raw.getName() + " is not one of the built-in collection types");
  }

  private static Inferred ofMap(Class<?> raw, Type keyType, Serde key, Serde value) {
    if (raw == Map.class || raw == HashMap.class || raw == LinkedHashMap.class) {
      return new Found(Serdes.map(key, value));
    }
    if (raw == SortedMap.class || raw == NavigableMap.class || raw == TreeMap.class) {
      return comparable(keyType)
          ? new Found(Serdes.sortedMap(key, value))
          : notComparable(raw, keyType);
    }
    if (raw == EnumMap.class) {
      Class<?> type = GenericTypes.erase(keyType);
      return new Found(Serdes.enumMap((Class) type, value));
    }
    return new Missing(kind(raw) + " " + raw.getName() + " is not one of the built-in map types");
  }

  private static boolean comparable(Type type) {
    return Comparable.class.isAssignableFrom(GenericTypes.erase(type));
  }

  private static Missing notComparable(Class<?> raw, Type type) {
    return new Missing(
        type.getTypeName() + " has no natural order, which " + raw.getSimpleName() + " needs");
  }

  private Inferred ofRecord(Type whole, Class<?> type) {
    List<Member> members = Arrays.stream(type.getRecordComponents()).map(Member::of).toList();
    return ofMembers(whole, type, members, "component", () -> Shape.ofRecord((Class) type));
  }

  private Inferred ofPlainClass(Type whole, Class<?> type) {
    PlainClass plain = PlainClass.of(whole, type);
    String fault = plain.fault();
    return fault != null
        ? new Missing("class " + type.getName() + " " + fault)
        : ofMembers(whole, type, plain.members(), "field", plain::shape);
  }

  private Inferred ofMembers(
      Type whole,
      Class<?> type,
      List<Member> members,
      String memberKind,
      Supplier<Shape<?>> shape) {
    Map<TypeVariable<?>, Type> bindings = GenericTypes.bindings(whole);
    List<Serde<?>> serdes = new ArrayList<>();
    List<Absence> absences = new ArrayList<>();
    for (Member member : members) {
      Type memberType = GenericTypes.substitute(member.type(), bindings);
      SerializedBy declared = member.element().getAnnotation(SerializedBy.class);
      Inferred inferred = declared != null ? declared(declared) : infer(memberType);
      String inside = " (" + memberKind + " '" + member.name() + "' of " + describe(type) + ")";
      if (inferred instanceof Missing missing) {
        return missingIn(type, memberType, missing, inside);
      }
      Serde<?> serde = ((Found) inferred).serde();
      serdes.add(serde);
      try {
        absences.add(Absence.of(member, serde, !type.isRecord()));
      } catch (IllegalArgumentException e) {
        return new Missing(e.getMessage() + inside);
      }
    }
    return new Found(new StructureSerde(shape.get(), members, serdes, absences));
  }

  private static String describe(Class<?> type) {
    return (type.isRecord() ? "record " : kind(type) + " ") + type.getName();
  }

  private static Missing missingIn(Class<?> type, Type memberType, Missing missing, String inside) {
    if (missing.reason().endsWith(")")) {
      return missing; // names the innermost member already
    }
    boolean raw = type.getTypeParameters().length > 0 && GenericTypes.hasVariable(memberType);
    return raw
        ? new Missing(type.getSimpleName() + " without type arguments")
        : new Missing(missing.reason() + inside);
  }

  private Inferred ofSealed(Type whole, Class<?> type) {
    Map<String, UnionSerde.Alternative> alternatives = new LinkedHashMap<>();
    Missing missing = addSubtypes(whole, type, type, alternatives);
    return missing != null
        ? missing
        : new Found(new UnionSerde(type, List.copyOf(alternatives.values())));
  }

  /** Adds the subtypes that can be instantiated; returns why that is not possible, or null. */
  private @Nullable Missing addSubtypes(
      Type whole, Class<?> type, Class<?> union, Map<String, UnionSerde.Alternative> into) {
    if (!Modifier.isAbstract(type.getModifiers())) {
      open.add(new Open(ITSELF, List.of()));
      Inferred inferred = ofPlainClass(whole, type);
      open.remove(open.size() - 1);
      Missing missing = add(inferred, type, union, into);
      if (missing != null) {
        return missing;
      }
    }
    for (Class<?> subclass : type.getPermittedSubclasses()) {
      Type subtype = GenericTypes.subtype(subclass, whole);
      Missing missing;
      if (subclass.isSealed() && !subclass.isEnum()) {
        missing = addSubtypes(subtype, subclass, union, into);
      } else if (!subclass.isRecord()
          && !subclass.isEnum()
          && !Modifier.isFinal(subclass.getModifiers())) {
        missing =
            new Missing(
                subclass.getName()
                    + ", a subtype of "
                    + union.getName()
                    + ", is not sealed or final, so its subtypes are not known");
      } else {
        missing = add(infer(subtype), subclass, union, into);
      }
      if (missing != null) {
        return missing;
      }
    }
    return null;
  }

  private static @Nullable Missing add(
      Inferred inferred,
      Class<?> type,
      Class<?> union,
      Map<String, UnionSerde.Alternative> alternatives) {
    if (inferred instanceof Missing missing) {
      return missing;
    }
    Serde<?> serde = FramedSerde.part(((Found) inferred).serde());
    String name = type.getSimpleName();
    UnionSerde.Alternative before =
        alternatives.put(name, new UnionSerde.Alternative(name, type, (Serde<Object>) serde));
    return before == null || before.type() == type
        ? null
        : new Missing("two subtypes of " + union.getName() + " are named " + name);
  }
}
