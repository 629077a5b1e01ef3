package io.streamforge.runtime.checkpoint;

import io.streamforge.backend.EntrySchema;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.checkpoint.Blob;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.runtime.task.TaskPart;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts manifests together from what tasks and writers report, and remembers what the next one may
 * build on. Not thread-safe.
 */
final class ManifestBook {
  private static final Comparator<StateName> ORDER =
      Comparator.comparing(StateName::state)
          .thenComparing(StateName::slice, Comparator.nullsFirst(Comparator.naturalOrder()));

  private final int groups;
  private final Map<String, List<Manifest.SplitPart>> finishedBefore;

  /** Pieces of the last published checkpoint. */
  private Map<ChainName, List<Manifest.Piece>> published = Map.of();

  private record StateName(String state, @Nullable Window slice) {}

  private record ChainName(String node, StateName state, Manifest.GroupRange groups) {}

  /**
   * A manifest, and the pieces that it has.
   *
   * @param newBytes bytes of state that no earlier one had
   * @param inFlightBytes bytes of records in flight
   */
  record Built(
      Manifest manifest,
      Map<ChainName, List<Manifest.Piece>> pieces,
      long newBytes,
      long inFlightBytes) {
    long fullBytes() {
      return pieces.values().stream().flatMap(List::stream).mapToLong(ManifestBook::bytes).sum();
    }
  }

  private static long bytes(Manifest.Piece piece) {
    return piece.segment().length();
  }

  /**
   * Of a job with so many key groups.
   *
   * @param finishedBefore splits of each source that had ended before this start
   */
  ManifestBook(int groups, Map<String, List<Manifest.SplitPart>> finishedBefore) {
    this.groups = groups;
    this.finishedBefore = Map.copyOf(finishedBefore);
  }

  /** What is put together of one node. */
  private static final class NodeBuilder {
    final Map<StateName, StateBuilder> states = new TreeMap<>(ORDER);
    final Map<Integer, Manifest.GroupTime> times = new TreeMap<>();

    /** A set, since each task of a drained source says that it is. */
    final Set<Manifest.SplitPart> splits = new LinkedHashSet<>();

    final List<Manifest.InFlightPart> inFlight = new ArrayList<>();
    final List<Manifest.WriterPart> writers = new ArrayList<>();

    Manifest.NodePart build(String node) {
      List<Manifest.SplitPart> inOrder = new ArrayList<>(splits);
      inOrder.sort(Comparator.comparing(Manifest.SplitPart::id));
      inFlight.sort(
          Comparator.comparing(Manifest.InFlightPart::from)
              .thenComparing(part -> part.groups().first()));
      writers.sort(Comparator.comparing(Manifest.WriterPart::writer));
      List<Manifest.StatePart> parts = new ArrayList<>();
      states.forEach((name, state) -> parts.add(state.build(name)));
      return new Manifest.NodePart(
          node, parts, List.copyOf(times.values()), inOrder, List.of(), inFlight, writers);
    }
  }

  private static final class StateBuilder {
    final EntrySchema schema;
    final String form;
    final Map<Integer, Manifest.Chain> chains = new TreeMap<>();

    StateBuilder(EntrySchema schema, String form) {
      this.schema = schema;
      this.form = form;
    }

    Manifest.StatePart build(StateName name) {
      return new Manifest.StatePart(
          name.state, name.slice, Blob.of(schema.toBytes()), form, List.copyOf(chains.values()));
    }
  }

  /** The manifest of a checkpoint of which these are all parts. */
  Built build(List<TaskPart> tasks, List<TaskPart.SavedWriter> writers, long jobTimeMillis) {
    Map<String, NodeBuilder> nodes = new TreeMap<>();
    finishedBefore.forEach((node, splits) -> node(nodes, node).splits.addAll(splits));
    Map<ChainName, List<Manifest.Piece>> pieces = new HashMap<>();
    long newBytes = 0;
    long inFlightBytes = 0;
    for (TaskPart task : tasks) {
      if (task.source() != null) {
        Set<Manifest.SplitPart> splits = node(nodes, task.source()).splits;
        splits.addAll(task.splits());
      }
      for (TaskPart.SavedNode saved : task.nodes()) {
        NodeBuilder node = node(nodes, saved.node());
        saved.times().forEach(time -> node.times.put(time.groups().first(), time));
        for (TaskPart.SavedState state : saved.states()) {
          StateName name = new StateName(state.state(), state.slice());
          ChainName chain = new ChainName(saved.node(), name, task.groups());
          List<Manifest.Piece> all = pieces(chain, state);
          pieces.put(chain, all);
          newBytes += state.piece() == null ? 0 : bytes(state.piece());
          // A table may turn out to have no entries only when it is written as a whole.
          if (!all.isEmpty()) {
            node.states
                .computeIfAbsent(name, n -> new StateBuilder(state.schema(), state.form()))
                .chains
                .put(
                    task.groups().first(), new Manifest.Chain(task.groups(), all, state.entries()));
          }
        }
      }
    }
    for (TaskPart task : tasks) {
      for (TaskPart.SavedInFlight saved : task.inFlight()) {
        inFlightBytes += bytes(saved.piece());
        node(nodes, saved.node())
            .inFlight
            .add(new Manifest.InFlightPart(saved.from(), task.groups(), saved.piece()));
      }
    }
    writers.forEach(writer -> node(nodes, writer.node()).writers.add(writer.part()));
    Map<String, Manifest.NodePart> parts = new LinkedHashMap<>();
    nodes.forEach((name, node) -> parts.put(name, node.build(name)));
    return new Built(
        new Manifest(groups, jobTimeMillis, List.copyOf(parts.values())),
        pieces,
        newBytes,
        inFlightBytes);
  }

  private static NodeBuilder node(Map<String, NodeBuilder> nodes, String node) {
    return nodes.computeIfAbsent(node, n -> new NodeBuilder());
  }

  private List<Manifest.Piece> pieces(ChainName chain, TaskPart.SavedState state) {
    List<Manifest.Piece> all = new ArrayList<>();
    if (state.extent() != KeyedSnapshot.Extent.WHOLE) {
      List<Manifest.Piece> before = published.get(chain);
      if (before == null) {
        throw new IllegalStateException("changes without a base: " + chain);
      }
      all.addAll(before);
    }
    if (state.piece() != null) {
      all.add(state.piece());
    }
    return all;
  }

  /** The next checkpoint builds on this one. */
  void published(Built built) {
    published = built.pieces;
  }
}
