package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.LogOwner;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Node;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import io.streamforge.time.Clock;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings the systems outside to where the restored state is, before anything is read: what the
 * checkpoint says is published becomes visible there, and whatever else was prepared is forgotten.
 */
public final class SinkRecovery {
  private final PhysicalPlan plan;
  private final LogOwner owner;
  private final RestoredJob restored;
  private final Clock clock;
  private final Map<String, Map<String, Long>> markers = new HashMap<>();

  /** Of a job whose state has been restored. */
  public SinkRecovery(PhysicalPlan plan, LogOwner owner, RestoredJob restored, Clock clock) {
    this.plan = plan;
    this.owner = owner;
    this.restored = restored;
    this.clock = clock;
  }

  /** The sinks of a job whose output is committed, by node. */
  public static Map<String, CommittingSink<?, ?>> committingSinks(PhysicalPlan plan) {
    Map<String, CommittingSink<?, ?>> sinks = new TreeMap<>();
    for (Node node : plan.graph().nodes()) {
      if (node instanceof Node.SinkNode sink && sink.sink() instanceof CommittingSink<?, ?> both) {
        sinks.put(node.name(), both);
      }
    }
    return sinks;
  }

  /**
   * Recovers all of them; then the owner may publish. None of them forgets anything before all have
   * said what they show.
   *
   * @throws StreamForgeException when one fails, or shows output of a later checkpoint than the one
   *     that was restored
   */
  public void run() {
    Map<String, CommittingSink<?, ?>> sinks = committingSinks(plan);
    long above = restored.number();
    for (Map.Entry<String, CommittingSink<?, ?>> sink : sinks.entrySet()) {
      String node = sink.getKey();
      for (WriterMarker marker : fence(node, sink.getValue())) {
        above = Math.max(above, marker.checkpoint());
        if (restored.exists() && marker.checkpoint() > restored.number()) {
          // It may be the output of a process that has taken the job over meanwhile.
          checkOwner();
          throw beyond(node, marker.checkpoint());
        }
      }
    }
    sinks.forEach(this::recover);
    owner.begin(restored.position(owner.log()), above);
  }

  private List<WriterMarker> fence(String node, CommittingSink<?, ?> sink) {
    List<WriterState> writers = restored.writers(node);
    List<WriterMarker> shown;
    try {
      shown = sink.fence(context(node), writers);
    } catch (Exception e) {
      throw failed(node, e);
    }
    note(node, writers, shown);
    return shown;
  }

  private void recover(String node, CommittingSink<?, ?> sink) {
    try {
      sink.recover(context(node), restored.writers(node), this::checkOwner);
    } catch (Exception e) {
      throw failed(node, e);
    }
  }

  private SinkContext context(String node) {
    return new SinkContext(
        plan.job(), node, 0, parallelism(node), clock, true, plan.graph().renaming().ofPart(node));
  }

  private StreamForgeException failed(String node, Exception cause) {
    ErrorContext context = new ErrorContext(plan.job(), node, null, null, null);
    if (cause instanceof StreamForgeException e) {
      return e.within(context);
    }
    return new StreamForgeException(
        ErrorCode.SINK_FAILED,
        context,
        "the sink could not be brought to the state of checkpoint "
            + restored.number()
            + ": "
            + Rendering.cause(cause),
        cause);
  }

  /** What the writers of a sink will have committed once it is recovered. */
  private void note(String node, List<WriterState> writers, List<WriterMarker> shown) {
    Map<String, Long> committed = new HashMap<>();
    shown.forEach(marker -> committed.merge(marker.writer(), marker.checkpoint(), Math::max));
    for (WriterState writer : writers) {
      for (Committable committable : writer.committables()) {
        committed.merge(writer.writer(), committable.checkpoint(), Math::max);
      }
    }
    markers.put(node, committed);
  }

  /** The last checkpoint that a writer is known to have committed; 0: none. */
  public long marker(String sink, int task) {
    return markers.getOrDefault(sink, Map.of()).getOrDefault(Integer.toString(task), 0L);
  }

  private void checkOwner() {
    try {
      owner.check();
    } catch (IOException e) {
      throw new StreamForgeException(
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorContext.position(owner.location()),
          "whether this process still has the job cannot be read in " + owner.location() + ": " + e,
          ErrorCode.STORAGE_UNAVAILABLE.remedy(),
          e);
    }
  }

  private int parallelism(String node) {
    for (Stage stage : plan.stages()) {
      if (stage.nodes().contains(node)) {
        return stage.parallelism();
      }
    }
    throw new IllegalStateException("node '" + node + "' is in no stage");
  }

  private StreamForgeException beyond(String node, long shown) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_DAMAGED,
        new ErrorContext(plan.job(), node, null, owner.location(), null),
        "the newest checkpoint that can be used is "
            + restored.number()
            + ", but sink '"
            + node
            + "' shows output of checkpoint "
            + shown
            + " already, which would come twice",
        "Put the damaged objects of checkpoint "
            + shown
            + " back from a copy; or remove from the sink what came after checkpoint "
            + restored.number()
            + ", with its markers, and start again.",
        null);
  }
}
