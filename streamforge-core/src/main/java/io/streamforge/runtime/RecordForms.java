package io.streamforge.runtime;

import io.streamforge.config.Alignment;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Port;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.runtime.channel.SpillFile;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import java.util.ArrayList;
import java.util.List;

/** How records of a job are written that leave memory: into checkpoints, and into spill files. */
final class RecordForms {
  private final PhysicalPlan plan;
  private final LogicalGraph graph;
  private final EngineConfig config;
  private final Alignment alignment;

  RecordForms(PhysicalPlan plan, EngineConfig config) {
    this.plan = plan;
    this.graph = plan.graph();
    this.config = config;
    CheckpointConfig settings = config.checkpoints();
    this.alignment = settings == null ? new Alignment.Aligned() : settings.alignment();
  }

  /** What checkpoints wait for. */
  Alignment alignment() {
    return alignment;
  }

  /** How records of an output are written. */
  RecordForm of(Port port) {
    if (graph.keyForm(port) instanceof Inferred.Found keys
        && graph.valueForm(port) instanceof Inferred.Found values) {
      return new RecordForm(keys.serde(), values.serde());
    }
    throw notWritten(unwritten(port));
  }

  /** Why records of an output cannot be written, a line for each reason. */
  private List<String> unwritten(Port port) {
    List<String> reasons = new ArrayList<>();
    if (graph.keyForm(port) instanceof Inferred.Missing keys) {
      reasons.add("keys of '" + port + "': " + keys.reason());
    }
    if (graph.valueForm(port) instanceof Inferred.Missing values) {
      reasons.add("values of '" + port + "': " + values.reason());
    }
    return reasons;
  }

  private StreamForgeException notWritten(List<String> reasons) {
    return new StreamForgeException(
        ErrorCode.CONFIG_INVALID,
        new ErrorContext(plan.job(), null, null, null, null),
        "records on their way between tasks cannot be part of a checkpoint:\n    "
            + String.join("\n    ", reasons),
        "Name the types with typed(…), or let the checkpoints be aligned.",
        null);
  }

  /** Refuses checkpoints that hold records in flight where these cannot be written. */
  void check() {
    List<String> reasons = new ArrayList<>();
    plan.exchanges().forEach(exchange -> reasons.addAll(unwritten(exchange.from())));
    if (alignment instanceof Alignment.UnalignedAfter && !reasons.isEmpty()) {
      throw notWritten(reasons);
    }
  }

  /** An empty file for records of an output that the memory has no room for. */
  SpillFile spillFile(Port port) {
    ErrorContext context = new ErrorContext(plan.job(), port.node(), null, null, null);
    return new SpillFile(
        config.temporaryDirectory(),
        context,
        new RecordForm(
            spillSerde("keys", port, graph.keyForm(port)),
            spillSerde("values", port, graph.valueForm(port))));
  }

  private Serde<?> spillSerde(String what, Port port, Inferred form) {
    if (form instanceof Inferred.Found found) {
      return found.serde();
    }
    throw new StreamForgeException(
        ErrorCode.OUTPUT_LIMIT_EXCEEDED,
        // The task knows the node whose record it is, which may be before this one.
        new ErrorContext(plan.job(), null, null, null, null),
        "one record has more than "
            + config.maxHeldRecords()
            + " records of output in hand, and the "
            + what
            + " of '"
            + port.node()
            + "' cannot be spilled: "
            + ((Inferred.Missing) form).reason());
  }
}
