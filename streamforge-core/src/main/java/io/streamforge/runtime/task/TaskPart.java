package io.streamforge.runtime.task;

import io.streamforge.backend.EntrySchema;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task adds to a checkpoint.
 *
 * @param checkpoint its number
 * @param task id of the task
 * @param groups key groups of the task
 * @param nodes those that have keyed state or timers, whether there is any now or not
 * @param source the node whose splits it reads; null where it reads none
 * @param splits of the source
 * @param writers of sinks that write on the task's own thread and whose output is committed
 * @param inFlight records that the barriers have overtaken
 */
public record TaskPart(
    long checkpoint,
    String task,
    Manifest.GroupRange groups,
    List<SavedNode> nodes,
    @Nullable String source,
    List<Manifest.SplitPart> splits,
    List<SavedWriter> writers,
    List<SavedInFlight> inFlight) {
  /** Copies. */
  public TaskPart {
    nodes = List.copyOf(nodes);
    splits = List.copyOf(splits);
    writers = List.copyOf(writers);
    inFlight = List.copyOf(inFlight);
  }

  /** Records on their way from an output, as a port is written, to a node in the task. */
  public record SavedInFlight(String from, String node, Manifest.Piece piece) {}

  /** A writer's part, its id, and the node that it writes for. */
  public record SavedWriter(String id, String node, Manifest.WriterPart part) {}

  /**
   * A node with keyed state in a task.
   *
   * @param times event time that it has handled for the task's groups
   */
  public record SavedNode(String node, List<Manifest.GroupTime> times, List<SavedState> states) {
    /** Copies. */
    public SavedNode {
      times = List.copyOf(times);
      states = List.copyOf(states);
    }
  }

  /**
   * A state, or one slice of it.
   *
   * @param entries how many it has; {@link Manifest.Chain#UNKNOWN}: nobody counts them
   * @param piece null where nothing has changed
   */
  public record SavedState(
      String state,
      @Nullable Window slice,
      EntrySchema schema,
      String form,
      KeyedSnapshot.Extent extent,
      long entries,
      Manifest.@Nullable Piece piece) {
    SavedState in(Manifest.Piece newPiece) {
      return new SavedState(state, slice, schema, form, extent, entries, newPiece);
    }
  }
}
