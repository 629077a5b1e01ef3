package io.streamforge.checkpoint;

import io.streamforge.record.Timestamps;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint consists of: everything a job needs to go on behind its barrier. The bytes of
 * state are in other objects, which the manifest names.
 *
 * @param groups number of key groups, 1 to 32,768; ranges of groups below count in these
 * @param jobTimeMillis how long the job has run up to here, in all its attempts; what TTL by
 *     processing time counts in
 * @param nodes what each node has, by name
 */
public record Manifest(int groups, long jobTimeMillis, List<NodePart> nodes) {
  /** Checks that ranges are within the groups, and that names are there once. */
  public Manifest {
    nodes = List.copyOf(nodes);
    if (groups < 1 || groups > 32_768) {
      throw new IllegalArgumentException("number of key groups: " + groups);
    }
    unique("node", nodes, NodePart::node);
    for (NodePart node : nodes) {
      for (StatePart state : node.states()) {
        within(groups, state.chains().stream().map(Chain::groups).toList(), node.node());
      }
      within(groups, node.times().stream().map(GroupTime::groups).toList(), node.node());
    }
  }

  private static void within(int groups, List<GroupRange> ranges, String node) {
    int next = 0;
    for (GroupRange range : ranges) {
      if (range.first() < next || range.end() > groups) {
        throw new IllegalArgumentException(
            "key groups of '" + node + "' overlap or are not in order: " + ranges);
      }
      next = range.end();
    }
  }

  private static <T> void unique(String what, List<T> parts, Function<T, Object> identity) {
    Set<Object> seen = new HashSet<>();
    for (T part : parts) {
      if (!seen.add(identity.apply(part))) {
        throw new IllegalArgumentException(what + " twice: " + identity.apply(part));
      }
    }
  }

  /** Names of all objects that it needs, sorted. */
  public Set<String> objects() {
    Set<String> objects = new TreeSet<>();
    pieces().forEach(piece -> objects.add(piece.object()));
    return objects;
  }

  /** Bytes of all pieces, as they are stored. */
  public long bytes() {
    return pieces().stream().mapToLong(piece -> piece.segment().length()).sum();
  }

  /** Entries of all states as far as that was noted. */
  public long entries() {
    return nodes.stream()
        .flatMap(node -> node.states().stream())
        .flatMap(state -> state.chains().stream())
        .mapToLong(chain -> Math.max(0, chain.entries()))
        .sum();
  }

  /** All pieces of all nodes. */
  public List<Piece> pieces() {
    List<Piece> pieces = new ArrayList<>();
    for (NodePart node : nodes) {
      node.states().forEach(state -> state.chains().forEach(c -> pieces.addAll(c.pieces())));
      node.operators().forEach(part -> pieces.add(part.piece()));
      node.inFlight().forEach(part -> pieces.add(part.piece()));
    }
    return pieces;
  }

  /**
   * A range of key groups.
   *
   * @param first the first one
   * @param end the one behind the last
   */
  public record GroupRange(int first, int end) {
    /** At least one group. */
    public GroupRange {
      if (first < 0 || end <= first) {
        throw new IllegalArgumentException("no key groups from " + first + " to " + end);
      }
    }
  }

  /**
   * What a node has.
   *
   * @param node its name, which its state is found by
   * @param states keyed state and timers; sorted as they were written
   * @param times event time that each range of groups has handled
   * @param splits of a source
   * @param operators state that is not keyed
   * @param inFlight records on their way to the node; only of unaligned checkpoints
   * @param writers of a sink
   */
  public record NodePart(
      String node,
      List<StatePart> states,
      List<GroupTime> times,
      List<SplitPart> splits,
      List<OperatorPart> operators,
      List<InFlightPart> inFlight,
      List<WriterPart> writers) {
    /** States, splits and writers are there once. */
    public NodePart {
      states = List.copyOf(states);
      times = List.copyOf(times);
      splits = List.copyOf(splits);
      operators = List.copyOf(operators);
      inFlight = List.copyOf(inFlight);
      writers = List.copyOf(writers);
      unique("state of '" + node + "'", states, s -> s.slice() + " " + s.state());
      unique("split of '" + node + "'", splits, SplitPart::id);
      unique("writer of '" + node + "'", writers, WriterPart::writer);
    }
  }

  /**
   * A keyed state, or one slice of it.
   *
   * @param state its name
   * @param slice of time that it belongs to; null for state without slices
   * @param schema how keys and values are written; the backend's business
   * @param form name of the form of its pieces, such as that of one backend
   * @param chains disjoint, in the order of groups; groups without state are in none
   */
  public record StatePart(
      String state, @Nullable Window slice, Blob schema, String form, List<Chain> chains) {
    /** The order of chains is checked by the manifest, which knows the number of groups. */
    public StatePart {
      chains = List.copyOf(chains);
    }
  }

  /**
   * State of a range of groups: the first piece is whole, each further one is what has changed
   * since.
   *
   * @param groups which groups count; pieces may hold others too, which do not
   * @param pieces at least one
   * @param entries how many there are when all pieces have been applied; {@link #UNKNOWN}: that was
   *     not noted
   */
  public record Chain(GroupRange groups, List<Piece> pieces, long entries) {
    /** A number of entries that was not noted. */
    public static final long UNKNOWN = -1;

    /** With a number of entries that was not noted. */
    public Chain(GroupRange groups, List<Piece> pieces) {
      this(groups, pieces, UNKNOWN);
    }

    /** Has a base. */
    public Chain {
      pieces = List.copyOf(pieces);
      if (pieces.isEmpty()) {
        throw new IllegalArgumentException("a chain needs a base: " + groups);
      }
    }
  }

  /**
   * Bytes in an object.
   *
   * @param object its name
   * @param segment where in it
   */
  public record Piece(String object, Segment segment) {}

  /**
   * How far event time has been handled.
   *
   * @param groups of these groups
   * @param firedUpToMillis every window and timer up to this watermark has fired or is among what
   *     the state holds as still to fire
   */
  public record GroupTime(GroupRange groups, long firedUpToMillis) {}

  /**
   * A split of a source.
   *
   * @param id its id
   * @param position behind the last record that is part of the checkpoint
   * @param watermarkMillis its own event time
   * @param idle whether it held event time back no more
   * @param finished whether it has ended; it is not read again
   */
  public record SplitPart(
      String id, long position, long watermarkMillis, boolean idle, boolean finished) {
    /** In the list of a source that has been ended by hand: none of its splits is read further. */
    public static final SplitPart DRAINED = new SplitPart("", 0, Timestamps.MIN, false, true);

    /** One of which nothing has been read. */
    public static SplitPart unread(String id, long position) {
      return new SplitPart(id, position, Timestamps.MIN, false, false);
    }
  }

  /** What becomes of operator state when the number of tasks changes. */
  public enum Distribution {
    /** Each item goes to one task. */
    SPLIT,
    /** All tasks get all of it; written once. */
    BROADCAST
  }

  /**
   * State of an operator that is not keyed, from one task.
   *
   * @param name of the state
   * @param task which task wrote it
   */
  public record OperatorPart(String name, int task, Distribution distribution, Piece piece) {}

  /**
   * Records that barriers overtook on their way to a task.
   *
   * @param from the node or branch that sent them, as a port is written
   * @param groups key groups of that task
   * @param piece the schema of the records, then these
   */
  public record InFlightPart(String from, GroupRange groups, Piece piece) {}

  /**
   * What a writer of a sink has prepared.
   *
   * @param writer its id, unique within the node and known again after a restart
   * @param marker number of the last checkpoint that it is known to have committed; 0: none
   * @param committables in the order in which they are to be committed; the sink's business
   */
  public record WriterPart(String writer, long marker, List<Blob> committables) {
    /** A copy. */
    public WriterPart {
      committables = List.copyOf(committables);
    }
  }
}
