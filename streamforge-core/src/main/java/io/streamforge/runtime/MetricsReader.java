package io.streamforge.runtime;

import io.streamforge.graph.Node;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.metrics.TaskMetrics;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.runtime.task.SinkPump;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.runtime.task.TaskClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what the tasks of a job have counted, while they go on counting. */
final class MetricsReader {
  private final PhysicalPlan plan;
  private final List<StageTask> tasks;
  private final Map<String, List<StageTask>> tasksOfNode;
  private final List<SinkPump> pumps;
  private final @Nullable CheckpointMetrics checkpoints;

  MetricsReader(
      PhysicalPlan plan,
      List<StageTask> tasks,
      Map<String, List<StageTask>> tasksOfNode,
      List<SinkPump> pumps,
      @Nullable CheckpointMetrics checkpoints) {
    this.plan = plan;
    this.tasks = tasks;
    this.tasksOfNode = tasksOfNode;
    this.pumps = pumps;
    this.checkpoints = checkpoints;
  }

  JobMetrics read() {
    List<NodeMetrics> nodes = new ArrayList<>();
    for (Node node : plan.graph().topological()) {
      nodes.add(read(node.name(), tasksOfNode.getOrDefault(node.name(), List.of())));
    }
    return new JobMetrics(plan.job(), nodes, tasks.stream().map(this::read).toList(), checkpoints);
  }

  private NodeMetrics read(String node, List<StageTask> nodeTasks) {
    long in = 0;
    long processed = 0;
    long late = 0;
    long deadLettered = 0;
    long timersRejected = 0;
    long out = 0;
    long watermark = Long.MAX_VALUE;
    String heldBackBy = null;
    Map<String, Long> dropped = new TreeMap<>();
    List<NodeCounters> all = new ArrayList<>();
    for (StageTask task : nodeTasks) {
      NodeCounters counters = task.counters(node);
      if (counters != null) {
        all.add(counters);
      }
      if (task.watermark() < watermark) {
        watermark = task.watermark();
        String holder = task.input().holder();
        heldBackBy = holder == null ? null : "task " + task.id() + ": " + holder;
      }
    }
    for (SinkPump pump : pumps) {
      NodeCounters counters = pump.counters(node);
      if (counters != null) {
        all.add(counters);
      }
    }
    for (NodeCounters counters : all) {
      in += counters.in;
      processed += counters.processed;
      late += counters.late;
      deadLettered += counters.deadLettered;
      timersRejected += counters.timersRejected;
      out += counters.out();
      counters.droppedByReason().forEach((reason, n) -> dropped.merge(reason, n, Long::sum));
    }
    return new NodeMetrics(
        node,
        in,
        processed,
        late,
        dropped,
        deadLettered,
        timersRejected,
        out,
        watermark,
        heldBackBy);
  }

  private TaskMetrics read(StageTask task) {
    TaskClock clock = task.taskClock();
    double total = Math.max(1, clock.busyNanos + clock.blockedNanos + clock.idleNanos);
    @Nullable String holder = task.input().holder();
    return new TaskMetrics(
        task.id(),
        clock.busyNanos / total,
        clock.blockedNanos / total,
        clock.idleNanos / total,
        task.watermark(),
        holder,
        task.creditsAtHand(),
        task.recordsPerSecondTaken(),
        task.alignmentMillis());
  }
}
