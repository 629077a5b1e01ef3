package io.streamforge.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.Blob;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.checkpoint.Segment;
import io.streamforge.graph.Renaming;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which of its names a node goes on from, and what becomes of the other. */
class RenamedPartsTest {
  private static final Manifest.GroupRange GROUPS = new Manifest.GroupRange(0, 16);
  private static final Manifest.Piece PIECE = new Manifest.Piece("data/1-1-0", new Segment(0, 1));
  private static final Renaming B_WAS_A = new Renaming(Map.of("b", List.of("a")), Map.of());

  private static Manifest manifest(Manifest.NodePart... nodes) {
    return new Manifest(16, 0, List.of(nodes));
  }

  private static Manifest.NodePart node(
      String node, List<String> states, List<String> inFlightFrom, long watermark) {
    return new Manifest.NodePart(
        node,
        states.stream()
            .map(state -> new Manifest.StatePart(state, null, Blob.of(new byte[0]), "", List.of()))
            .toList(),
        List.of(new Manifest.GroupTime(GROUPS, watermark)),
        List.of(),
        List.of(),
        inFlightFrom.stream().map(from -> new Manifest.InFlightPart(from, GROUPS, PIECE)).toList(),
        List.of());
  }

  private static Manifest.NodePart withState(String node, String... states) {
    return node(node, List.of(states), List.of(), 0);
  }

  private static Manifest.NodePart receiving(String node, String... from) {
    return node(node, List.of(), List.of(from), 0);
  }

  private static List<String> states(RenamedParts parts, String node) {
    return parts.byName().get(node).states().stream().map(Manifest.StatePart::state).toList();
  }

  private static List<String> senders(RenamedParts parts, String node) {
    return parts.byName().get(node).inFlight().stream().map(Manifest.InFlightPart::from).toList();
  }

  @Test
  void nodeOfTheOldNameHasTheNewOne() {
    RenamedParts parts =
        new RenamedParts(manifest(withState("a", "s"), withState("c", "s")), B_WAS_A, Set.of());

    assertThat(parts.problems()).isEmpty();
    assertThat(parts.byName()).containsOnlyKeys("b", "c");
    assertThat(parts.byName().get("b").node()).isEqualTo("b");
    assertThat(parts.then("b")).isEqualTo("a");
    assertThat(parts.then("c")).isEqualTo("c");
    assertThat(parts.then("new")).isEqualTo("new");
  }

  @Test
  void nodeOfTheNewNameStaysAsItIs() {
    RenamedParts parts = new RenamedParts(manifest(withState("b", "s")), B_WAS_A, Set.of());

    assertThat(parts.problems()).isEmpty();
    assertThat(parts.byName()).containsOnlyKeys("b");
    assertThat(parts.then("b")).isEqualTo("b");
  }

  @Test
  void senderIsRenamedInWhatItsReadersHaveAndSoIsWhatIsDerivedOfIt() {
    RenamedParts parts =
        new RenamedParts(
            manifest(
                receiving("c", "a", "a/by-key", "a/side", "ab", "ab/a"),
                receiving("a/by-key", "x")),
            B_WAS_A,
            Set.of());

    assertThat(parts.problems()).isEmpty();
    assertThat(senders(parts, "c")).containsExactly("b", "b/by-key", "b/side", "ab", "ab/a");
    assertThat(senders(parts, "b/by-key")).containsExactly("x");
    assertThat(parts.then("b/by-key")).isEqualTo("a/by-key");
  }

  @Test
  void bothNamesAreAProblemUnlessOneOfThemMayGo() {
    Manifest both = manifest(withState("a", "of-a"), withState("b", "of-b"));

    assertThat(new RenamedParts(both, B_WAS_A, Set.of()).problems())
        .containsExactly("node 'b', there 'b' and 'a'");
    RenamedParts withoutB = new RenamedParts(both, B_WAS_A, Set.of("b"));
    assertThat(withoutB.problems()).isEmpty();
    assertThat(withoutB.byName()).containsOnlyKeys("b");
    assertThat(states(withoutB, "b")).containsExactly("of-a");
    for (Set<String> dropping : List.of(Set.of("a"), Set.of("a", "b"))) {
      RenamedParts withoutA = new RenamedParts(both, B_WAS_A, dropping);
      assertThat(withoutA.problems()).isEmpty();
      assertThat(states(withoutA, "b")).containsExactly("of-b");
      assertThat(states(withoutA, "a")).containsExactly("of-a");
    }
  }

  @Test
  void leaveToGoIsNotUsedWhereNothingHasTo() {
    for (Set<String> dropping : List.of(Set.of("a"), Set.of("b"), Set.of("a", "b"))) {
      RenamedParts parts = new RenamedParts(manifest(withState("a", "s")), B_WAS_A, dropping);
      assertThat(states(parts, "b")).containsExactly("s");
    }
  }

  /** Records that somebody has sent cannot be left out, whoever may go. */
  @Test
  void bothNamesOfASenderAreAProblem() {
    Manifest both = manifest(receiving("c", "a/x", "b"));

    for (Set<String> dropping : List.of(Set.<String>of(), Set.of("a"), Set.of("a", "b"))) {
      assertThat(new RenamedParts(both, B_WAS_A, dropping).problems())
          .containsExactly("node 'b', there 'b' and 'a'");
    }
  }

  @Test
  void eventTimeAloneGivesWayToState() {
    Manifest.NodePart timeOfA = node("a", List.of(), List.of(), 7);
    Manifest.NodePart timeOfB = node("b", List.of(), List.of(), 9);

    RenamedParts a = new RenamedParts(manifest(withState("a", "s"), timeOfB), B_WAS_A, Set.of());
    RenamedParts b = new RenamedParts(manifest(timeOfA, withState("b", "s")), B_WAS_A, Set.of());
    RenamedParts neither = new RenamedParts(manifest(timeOfA, timeOfB), B_WAS_A, Set.of());
    RenamedParts onlyA = new RenamedParts(manifest(timeOfA), B_WAS_A, Set.of());

    assertThat(List.of(a, b, neither, onlyA))
        .allSatisfy(parts -> assertThat(parts.problems()).isEmpty());
    assertThat(a.then("b")).isEqualTo("a");
    assertThat(states(b, "b")).containsExactly("s");
    assertThat(neither.byName().get("b").times().get(0).firedUpToMillis()).isEqualTo(9);
    assertThat(onlyA.byName().get("b").times().get(0).firedUpToMillis()).isEqualTo(7);
  }

  @Test
  void theOneOfSeveralOldNamesCounts() {
    Renaming renaming = new Renaming(Map.of("d", List.of("a", "b", "c")), Map.of());

    assertThat(new RenamedParts(manifest(withState("b", "s")), renaming, Set.of()).then("d"))
        .isEqualTo("b");
    assertThat(
            new RenamedParts(manifest(withState("a", "s"), withState("c", "s")), renaming, Set.of())
                .problems())
        .containsExactly("node 'd', there 'a' and 'c'");
  }

  @Test
  void statesOfARenamedNodeAreRenamed() {
    Renaming renaming =
        new Renaming(
            Map.of("b", List.of("a")),
            Map.of("b", Map.of("total", List.of("sum", "amount"), "new", List.of("old"))));

    RenamedParts parts =
        new RenamedParts(
            manifest(withState("a", "amount", "other", "timers/event"), withState("c", "sum")),
            renaming,
            Set.of());
    assertThat(states(parts, "b")).containsExactly("total", "other", "timers/event");
    assertThat(states(parts, "c")).containsExactly("sum");
    Manifest both = manifest(withState("a", "sum", "total"));
    assertThat(new RenamedParts(both, renaming, Set.of()).problems())
        .containsExactly("node 'b': state 'total', there 'total' and 'sum'");
    RenamedParts dropping = new RenamedParts(both, renaming, Set.of("a"));
    assertThat(dropping.problems()).isEmpty();
    assertThat(states(dropping, "b")).containsExactly("sum", "total");
  }
}
