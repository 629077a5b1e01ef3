package io.streamforge.graph;

import io.streamforge.record.Change;
import io.streamforge.serde.GenericTypes;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.window.Windowed;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the types of all streams of a graph.
 *
 * <p>The keys of an output are a variable, and so are its values. Nodes that pass something on make
 * two variables one; the others leave clues: what a function returns is produced, what it takes is
 * consumed. A hint of the user decides; otherwise what is produced; what is consumed decides where
 * nothing is produced (a lambda that returns an {@code Iterable} does not name its elements, the
 * next lambda does) or where that says too little.
 */
final class TypeInference {
  /** A part of a stream. */
  enum Part {
    KEY,
    VALUE
  }

  /** That values are made of others. */
  private record Wrapped(Class<?> by, Variable inner) {}

  private record Slot(Port port, Part part) {}

  /** What one variable stands for. */
  private static final class Variable {
    private final int number;
    private @Nullable Variable same;
    private final List<Type> hinted = new ArrayList<>();
    private final List<Type> produced = new ArrayList<>();
    private final List<Type> consumed = new ArrayList<>();
    private final List<Wrapped> wrapped = new ArrayList<>();
    private final Set<String> unreadable = new LinkedHashSet<>();
    private @Nullable Serde<?> serde;

    Variable(int number) {
      this.number = number;
    }

    Variable root() {
      Variable root = this;
      while (root.same != null) {
        root = root.same;
      }
      return root;
    }
  }

  private final Map<Slot, Variable> variables = new HashMap<>();

  private TypeInference() {}

  static TypeInference of(LogicalGraph graph) {
    TypeInference inference = new TypeInference();
    TypeClues clues = new TypeClues(graph, inference);
    for (Node node : graph.nodes()) {
      node.accept(clues);
      Port letters = graph.deadLetters(node);
      if (letters != null) {
        inference.produced(letters, Part.KEY, byte[].class);
        inference.produced(letters, Part.VALUE, byte[].class);
      }
    }
    graph
        .hints()
        .forEach(
            (port, hint) -> {
              inference.hint(port, Part.KEY, hint.keyType(), hint.keySerde());
              inference.hint(port, Part.VALUE, hint.valueType(), hint.valueSerde());
            });
    return inference;
  }

  private Variable variable(Port port, Part part) {
    return variables
        .computeIfAbsent(new Slot(port, part), s -> new Variable(variables.size()))
        .root();
  }

  private void hint(Port port, Part part, @Nullable Type type, @Nullable Serde<?> serde) {
    Variable variable = variable(port, part);
    if (type != null) {
      variable.hinted.add(type);
    }
    if (serde != null && variable.serde == null) {
      variable.serde = serde;
    }
  }

  /** The two are the same. */
  void same(Port one, Port other, Part part) {
    Variable first = variable(one, part);
    Variable second = variable(other, part);
    if (first == second) {
      return;
    }
    // The older one stays, so that clues are in the order of declaration.
    Variable left = first.number < second.number ? first : second;
    Variable right = left == first ? second : first;
    right.same = left;
    left.hinted.addAll(right.hinted);
    left.produced.addAll(right.produced);
    left.consumed.addAll(right.consumed);
    left.wrapped.addAll(right.wrapped);
    left.unreadable.addAll(right.unreadable);
    if (left.serde == null) {
      left.serde = right.serde;
    }
  }

  /** The values of {@code results} are those of {@code values}, each with a window. */
  void windowed(Port results, Port values) {
    wrapped(results, Windowed.class, values);
  }

  /** The values of {@code changes} are changes of what {@code rows} has. */
  void changes(Port changes, Port rows) {
    wrapped(changes, Change.class, rows);
  }

  private void wrapped(Port port, Class<?> by, Port inner) {
    variable(port, Part.VALUE).wrapped.add(new Wrapped(by, variable(inner, Part.VALUE)));
  }

  void produced(Port port, Part part, @Nullable Type type) {
    Type said = said(type);
    if (said != null) {
      variable(port, part).produced.add(said);
    }
  }

  void consumed(Port port, Part part, @Nullable Type type) {
    Type said = said(type);
    if (said != null) {
      variable(port, part).consumed.add(said);
    }
  }

  /** What a clue says; a type variable says nothing, and its class is left of what mentions one. */
  private static @Nullable Type said(@Nullable Type type) {
    if (type == null) {
      return null;
    }
    Type bounded = bounded(type);
    if (!GenericTypes.hasVariable(bounded)) {
      return bounded;
    }
    return bounded instanceof TypeVariable<?> ? null : ParameterizedTypes.erase(bounded);
  }

  /** The type itself, or what a wildcard extends. */
  static Type bounded(Type type) {
    return type instanceof WildcardType wildcard ? bounded(wildcard.getUpperBounds()[0]) : type;
  }

  /** A function that would tell something of the port cannot be read. */
  void unreadable(Port port, Part part, String reason) {
    variable(port, part).unreadable.add(reason);
  }

  StreamType type(Port port) {
    return new StreamType(
        resolve(variable(port, Part.KEY), new HashSet<>()),
        resolve(variable(port, Part.VALUE), new HashSet<>()));
  }

  Inferred keyForm(Port port) {
    return form(variable(port, Part.KEY));
  }

  Inferred valueForm(Port port) {
    return form(variable(port, Part.VALUE));
  }

  private static Inferred form(Variable variable) {
    if (variable.serde != null) {
      return new Inferred.Found(variable.serde);
    }
    for (Wrapped wrapped : variable.wrapped) {
      if (wrapped.by == Change.class) {
        Inferred rows = form(wrapped.inner.root());
        return rows instanceof Inferred.Found found
            ? new Inferred.Found(Serdes.change(found.serde()))
            : rows;
      }
    }
    Type type = resolve(variable, new HashSet<>());
    if (type != null) {
      return Serdes.infer(type);
    }
    if (variable.produced.size() > 1) {
      return new Inferred.Missing(
          variable.produced.stream()
              .map(TypeNames::of)
              .distinct()
              .collect(Collectors.joining(" here and ", "they are ", " there")));
    }
    if (!variable.unreadable.isEmpty()) {
      return new Inferred.Missing(String.join("; ", variable.unreadable));
    }
    return new Inferred.Missing("no function names it");
  }

  private static @Nullable Type resolve(Variable any, Set<Variable> open) {
    Variable variable = any.root();
    if (!open.add(variable)) {
      return null;
    }
    Type hinted = narrowest(variable.hinted);
    if (hinted != null) {
      return hinted;
    }
    List<Type> produced = new ArrayList<>(variable.produced);
    for (Wrapped wrapped : variable.wrapped) {
      Type type = resolve(wrapped.inner, open);
      if (type != null) {
        produced.add(new ParameterizedTypes(wrapped.by, List.of(type)));
      }
    }
    Type made = widest(produced);
    Type taken = narrowest(variable.consumed);
    if (made == null) {
      return produced.isEmpty() ? taken : null;
    }
    return TypeNames.tooLittle(made) && taken != null && accepts(made, taken) ? taken : made;
  }

  /** The type that all others are, too; null when there is none. */
  private static @Nullable Type widest(List<Type> types) {
    for (Type candidate : types) {
      if (types.stream().allMatch(type -> accepts(candidate, type))) {
        return candidate;
      }
    }
    return null;
  }

  /** The first type that is also all others; failing that, one that says enough. */
  private static @Nullable Type narrowest(List<Type> types) {
    for (Type candidate : types) {
      if (!TypeNames.tooLittle(candidate)
          && types.stream().allMatch(type -> accepts(type, candidate))) {
        return candidate;
      }
    }
    for (Type candidate : types) {
      if (!TypeNames.tooLittle(candidate)) {
        return candidate;
      }
    }
    return types.isEmpty() ? null : types.get(0);
  }

  private static boolean accepts(Type wide, Type narrow) {
    if (wide.equals(narrow)) {
      return true;
    }
    Class<?> wideClass = ParameterizedTypes.erase(wide);
    Class<?> narrowClass = ParameterizedTypes.erase(narrow);
    if (wideClass == narrowClass) {
      // A generic class with its arguments says more than the same without.
      return wide instanceof Class<?>;
    }
    return wideClass.isAssignableFrom(narrowClass);
  }
}
