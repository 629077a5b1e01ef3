package io.streamforge.graph;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds what is wrong with the names that nodes, or the states of one node, are said to have had.
 * Whatever a checkpoint holds, each of these names must mean one of them at most.
 */
final class PreviousNames {
  private final String kind;
  private final Set<String> names;

  /** By name of before who claims it. */
  private final Map<String, String> claimed = new HashMap<>();

  /**
   * Of nodes or of states.
   *
   * @param kind what they are, such as {@code node}
   * @param names what they are called now
   */
  PreviousNames(String kind, Set<String> names) {
    this.kind = kind;
    this.names = names;
  }

  /**
   * Checks one of them.
   *
   * @param clause begins what is said of it, up to the name of before
   * @param problems takes what is wrong, and what to do about it
   */
  void check(
      String name, List<String> previously, String clause, BiConsumer<String, String> problems) {
    for (String old : new LinkedHashSet<>(previously)) {
      String said = clause + " '" + old + "'";
      String fault = Names.fault(old);
      String other = claimed.putIfAbsent(old, name);
      if (fault != null) {
        problems.accept(
            said + ", which no " + kind + " can be called: " + fault,
            "say what it was called; " + Names.RULE);
      } else if (old.equals(name)) {
        problems.accept(said + ", which is its name", "say what it was called, or take this away");
      } else if (names.contains(old)) {
        problems.accept(
            said + ", which is the name of another " + kind,
            "call the other "
                + kind
                + " differently as long as a checkpoint may have '"
                + name
                + "' as '"
                + old
                + "'; to exchange two names go over a third one, with a checkpoint at each step");
      } else if (other != null) {
        problems.accept(
            said + ", and so was '" + other + "'",
            "leave it to the one that goes on with what '" + old + "' had");
      }
    }
  }
}
