package io.streamforge.serde;

import io.streamforge.serde.Inferred.Found;
import io.streamforge.serde.Inferred.Missing;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

  /** Records within records, also of growing type arguments, go no deeper than this. */
  private static final int MAX_DEPTH = 64;

  /** The records whose components are being looked at, with their type arguments. */
  private final Deque<Type> open = new ArrayDeque<>();

  /** The serde of a type, or why there is none. */
  Inferred infer(Type type) {
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
    if (type.isRecord()) {
      return ofRecord(type, type, new Type[0]);
    }
    if (isContainer(type)) {
      return new Missing(type.getSimpleName() + " without " + whatItHolds(type));
    }
    return new Missing(
        kind(type)
            + " "
            + type.getName()
            + " is neither a record nor an enum nor one of the built-in types");
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
    if (raw.isRecord()) {
      return ofRecord(parameterized, raw, arguments);
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
    return new Missing(
        kind(raw)
            + " "
            + raw.getName()
            + " is neither a record nor one of the built-in generic types");
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

  private Inferred ofRecord(Type whole, Class<?> type, Type[] arguments) {
    if (open.contains(whole) || open.size() == MAX_DEPTH) {
      return new Missing("record " + type.getName() + " contains itself");
    }
    TypeVariable<?>[] parameters = type.getTypeParameters();
    Map<TypeVariable<?>, Type> bindings = new HashMap<>();
    for (int i = 0; i < arguments.length; i++) {
      bindings.put(parameters[i], arguments[i]);
    }
    open.push(whole);
    try {
      List<Serde<?>> serdes = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        Type componentType = GenericTypes.substitute(component.getGenericType(), bindings);
        Inferred inferred = infer(componentType);
        if (inferred instanceof Missing missing) {
          return missingIn(type, component, componentType, missing);
        }
        serdes.add(((Found) inferred).serde());
      }
      return new Found(new RecordSerde(type, serdes));
    } catch (InaccessibleObjectException e) {
      return new Missing(
          "module "
              + type.getModule().getName()
              + " does not open package "
              + type.getPackageName()
              + " to io.streamforge.core");
    } finally {
      open.pop();
    }
  }

  private static Missing missingIn(
      Class<?> type, RecordComponent component, Type componentType, Missing missing) {
    if (missing.reason().endsWith(")")) {
      return missing; // names the innermost component already
    }
    boolean raw = type.getTypeParameters().length > 0 && GenericTypes.hasVariable(componentType);
    return raw
        ? new Missing(type.getSimpleName() + " without type arguments")
        : new Missing(
            missing.reason()
                + " (component '"
                + component.getName()
                + "' of record "
                + type.getName()
                + ")");
  }
}
