package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.graph.Renaming;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the nodes have in a checkpoint, under the names that they and their states have now. The
 * graph makes sure that a name of before belongs to one of them only, and to nothing that is there
 * now. So whatever has an old name is renamed, and what has the new one is as it was; that both are
 * there is a problem.
 */
final class RenamedParts {
  private final Renaming renaming;
  private final Set<String> dropping;
  private final List<String> problems = new ArrayList<>();

  /** By the name that a node has in the checkpoint the one that it has now, if they differ. */
  private final Map<String, String> nameNow = new HashMap<>();

  /** Names of now whose parts may go, and do, since the node goes on with what another has. */
  private final Set<String> superseded = new HashSet<>();

  private final Map<String, Manifest.NodePart> byName = new LinkedHashMap<>();
  private final Map<String, String> nameThen = new HashMap<>();

  /**
   * Of a checkpoint.
   *
   * @param dropping names of nodes whose state may go
   */
  RenamedParts(Manifest manifest, Renaming renaming, Set<String> dropping) {
    this.renaming = renaming;
    this.dropping = dropping;
    choose(manifest);
    for (Manifest.NodePart part : manifest.nodes()) {
      if (!superseded.contains(declared(part.node()))) {
        String node = now(part.node());
        byName.put(node, renamed(part, node));
        nameThen.put(node, part.node());
      }
    }
  }

  /** The nodes in the order of the manifest, by name. */
  Map<String, Manifest.NodePart> byName() {
    return byName;
  }

  /** What a node is called in the checkpoint; the name itself when the checkpoint has it not. */
  String then(String node) {
    return nameThen.getOrDefault(node, node);
  }

  /** What is there under two names of one node or state, a line each. */
  List<String> problems() {
    return problems;
  }

  private void choose(Manifest manifest) {
    Set<String> there = new HashSet<>();
    Set<String> holding = new HashSet<>();
    Set<String> sending = new HashSet<>();
    for (Manifest.NodePart part : manifest.nodes()) {
      there.add(declared(part.node()));
      if (holds(part)) {
        holding.add(declared(part.node()));
      }
      part.inFlight().forEach(flight -> sending.add(declared(flight.from())));
    }
    there.addAll(sending);
    holding.addAll(sending);
    renaming
        .nodes()
        .forEach(
            (node, previously) -> {
              List<String> names = among(there, node, previously);
              List<String> held = names.stream().filter(holding::contains).toList();
              List<String> kept =
                  held.stream()
                      .filter(name -> sending.contains(name) || !dropping.contains(name))
                      .toList();
              if (kept.size() > 1) {
                problems.add(both("node '" + node + "'", kept));
              }
              for (List<String> choice : List.of(kept, held, names)) {
                if (!choice.isEmpty()) {
                  goOn(node, choice.get(0));
                  break;
                }
              }
            });
  }

  private void goOn(String node, String chosen) {
    if (!chosen.equals(node)) {
      nameNow.put(chosen, node);
      superseded.add(node);
    }
  }

  /** Which of the names are there, that of now first. */
  private static List<String> among(Set<String> there, String name, List<String> previously) {
    Set<String> names = new LinkedHashSet<>();
    names.add(name);
    names.addAll(previously);
    names.retainAll(there);
    return List.copyOf(names);
  }

  private static String both(String what, Collection<String> names) {
    return what + ", there '" + String.join("' and '", names) + "'";
  }

  /** Whether something is lost with it; event time alone is not. */
  private static boolean holds(Manifest.NodePart part) {
    return !part.states().isEmpty()
        || !part.splits().isEmpty()
        || !part.operators().isEmpty()
        || !part.inFlight().isEmpty()
        || part.writers().stream().anyMatch(writer -> !writer.committables().isEmpty());
  }

  /** The name that a user has given: what is derived of a node stands behind it. */
  private static String declared(String name) {
    int end = name.indexOf('/');
    return end < 0 ? name : name.substring(0, end);
  }

  private String now(String name) {
    String declared = declared(name);
    String now = nameNow.get(declared);
    return now == null ? name : now + name.substring(declared.length());
  }

  private Manifest.NodePart renamed(Manifest.NodePart part, String node) {
    Map<String, String> states = stateNames(part, node);
    return new Manifest.NodePart(
        node,
        part.states().stream()
            .map(
                state ->
                    new Manifest.StatePart(
                        states.getOrDefault(state.state(), state.state()),
                        state.slice(),
                        state.schema(),
                        state.form(),
                        state.chains()))
            .toList(),
        part.times(),
        part.splits(),
        part.operators(),
        part.inFlight().stream()
            .map(
                flight ->
                    new Manifest.InFlightPart(now(flight.from()), flight.groups(), flight.piece()))
            .toList(),
        part.writers());
  }

  /** By the name that a state has in the checkpoint the one that it has now, if they differ. */
  private Map<String, String> stateNames(Manifest.NodePart part, String node) {
    Set<String> there = new TreeSet<>();
    part.states().forEach(state -> there.add(state.state()));
    Map<String, String> names = new HashMap<>();
    renaming
        .ofStates(node)
        .forEach(
            (state, previously) -> {
              List<String> held = among(there, state, previously);
              if (held.size() > 1 && !dropping.contains(node) && !dropping.contains(part.node())) {
                problems.add(both("node '" + node + "': state '" + state + "'", held));
              }
              if (!held.isEmpty() && !held.get(0).equals(state)) {
                names.put(held.get(0), state);
              }
            });
    return names;
  }
}
