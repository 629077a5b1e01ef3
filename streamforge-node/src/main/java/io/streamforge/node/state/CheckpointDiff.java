package io.streamforge.node.state;

import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.window.Window;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What is different between two checkpoints, of one job or of two. */
public final class CheckpointDiff {
  /*
   * A state is compared slice by slice: one side in memory as bytes, the other read past it. Keys
   * are the same when their bytes are; only where keys are stored in another form than before, when
   * they look the same. Values with other bytes may still be equal, such as sets.
   */
  private static final String SPLITS = "splits";
  private static final String WRITERS = "writers";
  private static final String VALUE = "value";

  /** A checkpoint, and where it is. */
  public record Side(StoredCheckpoints stored, LogEntry.Published checkpoint) {
    private Map<String, Manifest.NodePart> nodes() {
      Map<String, Manifest.NodePart> nodes = new TreeMap<>();
      checkpoint.manifest().nodes().forEach(node -> nodes.put(node.node(), node));
      return nodes;
    }

    private StateEntries entries(String node, Manifest.StatePart part) {
      return StateEntries.of(stored.log(), checkpoint.manifest().groups(), node, part);
    }
  }

  /**
   * How much of a state is different.
   *
   * @param state its name; {@code splits} and {@code writers} of sources and sinks
   */
  public record Count(String node, String state, long added, long removed, long changed) {
    private Count plus(Count other) {
      return new Count(
          node, state, added + other.added, removed + other.removed, changed + other.changed);
    }
  }

  private record StateSlice(String state, @Nullable Window slice)
      implements Comparable<StateSlice> {
    private static final Comparator<StateSlice> ORDER =
        Comparator.comparing(StateSlice::state)
            .thenComparing(StateSlice::slice, Comparator.nullsFirst(Comparator.naturalOrder()));

    @Override
    public int compareTo(StateSlice other) {
      return ORDER.compare(this, other);
    }
  }

  private record Entry(byte[] key, byte[] value) {}

  private final Side before;
  private final Side after;
  private final Predicate<ObjectNode> lines;
  private final Map<List<String>, Count> counts = new LinkedHashMap<>();

  private CheckpointDiff(Side before, Side after, Predicate<ObjectNode> lines) {
    this.before = before;
    this.after = after;
    this.lines = lines;
  }

  /**
   * Compares two checkpoints.
   *
   * @param lines takes a line for each difference; false: no more is wanted
   * @return states with differences, by node and name
   * @throws io.streamforge.error.StreamForgeException when what is stored is damaged or of a newer
   *     version
   */
  public static List<Count> run(Side before, Side after, Predicate<ObjectNode> lines) {
    CheckpointDiff diff = new CheckpointDiff(before, after, lines);
    diff.compareNodes();
    return List.copyOf(diff.counts.values());
  }

  private void compareNodes() {
    Map<String, Manifest.NodePart> left = before.nodes();
    Map<String, Manifest.NodePart> right = after.nodes();
    for (String node : union(left, right)) {
      if (!compareNode(node, left.get(node), right.get(node))) {
        return;
      }
    }
  }

  private static <K extends Comparable<K>> List<K> union(Map<K, ?> left, Map<K, ?> right) {
    TreeMap<K, Boolean> all = new TreeMap<>();
    left.keySet().forEach(key -> all.put(key, true));
    right.keySet().forEach(key -> all.put(key, true));
    return new ArrayList<>(all.keySet());
  }

  /** False: no more is wanted, here and below. */
  private boolean compareNode(
      String node, Manifest.@Nullable NodePart left, Manifest.@Nullable NodePart right) {
    Map<StateSlice, Manifest.StatePart> leftStates = states(left);
    Map<StateSlice, Manifest.StatePart> rightStates = states(right);
    for (StateSlice state : union(leftStates, rightStates)) {
      if (!compareState(node, leftStates.get(state), rightStates.get(state))) {
        return false;
      }
    }
    return compareParts(
            node,
            SPLITS,
            left == null ? List.of() : left.splits(),
            right == null ? List.of() : right.splits(),
            NodeLines::splitId,
            NodeLines::split)
        && compareParts(
            node,
            WRITERS,
            left == null ? List.of() : left.writers(),
            right == null ? List.of() : right.writers(),
            NodeLines::writerId,
            NodeLines::writer);
  }

  private static Map<StateSlice, Manifest.StatePart> states(Manifest.@Nullable NodePart node) {
    Map<StateSlice, Manifest.StatePart> states = new TreeMap<>();
    if (node != null) {
      node.states().forEach(part -> states.put(new StateSlice(part.state(), part.slice()), part));
    }
    return states;
  }

  private <P> boolean compareParts(
      String node,
      String what,
      List<P> left,
      List<P> right,
      Function<P, ObjectNode> idOf,
      Function<P, ObjectNode> contentOf) {
    Map<ObjectNode, ObjectNode> leftOver = new LinkedHashMap<>();
    left.forEach(part -> leftOver.put(idOf.apply(part), contentOf.apply(part)));
    for (P part : right) {
      ObjectNode id = idOf.apply(part);
      if (!compare(node, what, id, leftOver.remove(id), contentOf.apply(part))) {
        return false;
      }
    }
    for (Map.Entry<ObjectNode, ObjectNode> entry : leftOver.entrySet()) {
      if (!compare(node, what, entry.getKey(), entry.getValue(), null)) {
        return false;
      }
    }
    return true;
  }

  private boolean compareState(
      String node, Manifest.@Nullable StatePart left, Manifest.@Nullable StatePart right) {
    if (left != null && left.equals(right) && inOnePlace()) {
      return true;
    }
    if ((left != null && !StateEntries.canRead(left))
        || (right != null && !StateEntries.canRead(right))) {
      return compareUnread(node, left, right);
    }
    if (right == null) {
      return left == null || oneSided(node, before, left, false);
    }
    return left == null ? oneSided(node, after, right, true) : compareEntries(node, left, right);
  }

  private boolean inOnePlace() {
    return before.stored.location().equals(after.stored.location());
  }

  /** As a whole, since the entries cannot be told apart. */
  private boolean compareUnread(
      String node, Manifest.@Nullable StatePart left, Manifest.@Nullable StatePart right) {
    Manifest.StatePart named = left != null ? left : right;
    return named == null
        || compare(
            node,
            named.state(),
            NodeLines.stateId(named),
            left == null ? null : NodeLines.unread(left),
            right == null ? null : NodeLines.unread(right));
  }

  private boolean oneSided(String node, Side side, Manifest.StatePart part, boolean added) {
    StateEntries entries = side.entries(node, part);
    return entries.forEach(
        (key, value) -> {
          ObjectNode id = NodeLines.entryId(entries, part, key);
          ObjectNode content = NodeLines.entry(entries, part, value);
          return added
              ? compare(node, part.state(), id, null, content)
              : compare(node, part.state(), id, content, null);
        });
  }

  private boolean compareEntries(String node, Manifest.StatePart left, Manifest.StatePart right) {
    StateEntries old = before.entries(node, left);
    StateEntries now = after.entries(node, right);
    boolean sameKeys = old.schema().keys().equals(now.schema().keys());
    boolean sameSchema = old.schema().equals(now.schema());
    Map<ByteBuffer, Entry> leftOver = new HashMap<>();
    old.forEach(
        (key, value) -> {
          leftOver.put(identity(old, left, key, sameKeys), new Entry(key, value));
          return true;
        });
    boolean more =
        now.forEach(
            (key, value) -> {
              Entry earlier = leftOver.remove(identity(now, right, key, sameKeys));
              if (earlier != null && sameSchema && Arrays.equals(earlier.value, value)) {
                return true;
              }
              return compare(
                  node,
                  right.state(),
                  NodeLines.entryId(now, right, key),
                  earlier == null ? null : NodeLines.entry(old, left, earlier.value),
                  NodeLines.entry(now, right, value));
            });
    if (!more) {
      return false;
    }
    for (Entry gone : leftOver.values()) {
      if (!compare(
          node,
          left.state(),
          NodeLines.entryId(old, left, gone.key),
          NodeLines.entry(old, left, gone.value),
          null)) {
        return false;
      }
    }
    return true;
  }

  private static ByteBuffer identity(
      StateEntries entries, Manifest.StatePart part, byte[] key, boolean asStored) {
    return ByteBuffer.wrap(
        asStored
            ? key
            : NodeLines.entryId(entries, part, key).toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Takes down what has become of something; null: it was or is not there. */
  private boolean compare(
      String node, String state, ObjectNode id, @Nullable ObjectNode was, @Nullable ObjectNode is) {
    if (was != null && was.equals(is)) {
      return true;
    }
    Count count =
        new Count(
            node,
            state,
            was == null ? 1 : 0,
            is == null ? 1 : 0,
            was != null && is != null ? 1 : 0);
    counts.merge(List.of(node, state), count, Count::plus);
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("change", was == null ? "added" : is == null ? "removed" : "changed");
    line.put("node", node);
    line.setAll(id);
    if (was != null && is != null) {
      line.set("before", shortened(was));
      line.set("after", shortened(is));
    } else if (was != null) {
      line.setAll(was);
    } else if (is != null) {
      line.setAll(is);
    }
    return lines.test(line);
  }

  private static JsonNode shortened(ObjectNode content) {
    JsonNode value = content.get(VALUE);
    return content.size() == 1 && value != null ? value : content;
  }
}
