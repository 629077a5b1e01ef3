package io.streamforge.runtime;

import io.streamforge.graph.Node;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.EventTimeReport.SplitState;
import io.streamforge.metrics.EventTimeReport.SplitTime;
import io.streamforge.metrics.EventTimeReport.Step;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.task.TaskTimes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds out why event time of a node stands where it stands. */
final class EventTimes {
  private final PhysicalPlan plan;
  private final Map<String, TaskTimes> tasks = new LinkedHashMap<>();

  /** From what all tasks of the job have told. */
  EventTimes(PhysicalPlan plan, List<TaskTimes> tasks) {
    this.plan = plan;
    tasks.forEach(task -> this.tasks.put(task.task(), task));
  }

  EventTimeReport why(String node) {
    Stage stage = stageOf(node);
    long due = Timestamps.MAX;
    TaskTimes last = null;
    for (int i = 0; i < stage.parallelism(); i++) {
      TaskTimes task = task(stage.id() + "[" + i + "]");
      due = Math.min(due, task.nextDueMillis().getOrDefault(node, Timestamps.MAX));
      if (last == null || of(task, node) < of(last, node)) {
        last = task;
      }
    }
    if (last == null) {
      throw new IllegalStateException("stage " + stage.id() + " has no tasks");
    }
    long watermark = of(last, node);
    List<Step> steps = new ArrayList<>();
    TaskTimes task = last;
    while (task.holder() != null) {
      steps.add(step(task));
      task = task(task.holder().task());
    }
    steps.add(step(task));
    return new EventTimeReport(node, watermark, due, steps, holding(task), ahead(node));
  }

  private static long of(TaskTimes task, String node) {
    return task.ofNodes().getOrDefault(node, task.watermarkMillis());
  }

  private Stage stageOf(String node) {
    return plan.stages().stream()
        .filter(stage -> stage.nodes().contains(node))
        .findFirst()
        .orElseThrow();
  }

  private TaskTimes task(String id) {
    TaskTimes task = tasks.get(id);
    if (task == null) {
      throw new IllegalStateException("no task " + id);
    }
    return task;
  }

  private Step step(TaskTimes task) {
    Stage stage =
        plan.stages().get(Integer.parseInt(task.task().substring(0, task.task().indexOf('['))));
    return new Step(task.task(), stage.nodes(), task.watermarkMillis());
  }

  private static @Nullable SplitTime holding(TaskTimes task) {
    return task.splits().stream()
        .filter(split -> split.state() == SplitState.ACTIVE || split.state() == SplitState.PAUSED)
        .min(Comparator.comparingLong(SplitTime::watermarkMillis))
        .orElse(null);
  }

  private @Nullable SplitTime ahead(String node) {
    Set<String> sources =
        plan.graph().sourcesOf(plan.graph().node(node)).stream()
            .map(Node::name)
            .collect(Collectors.toSet());
    return tasks.values().stream()
        .flatMap(task -> task.splits().stream())
        .filter(split -> sources.contains(split.source()) || split.source().equals(node))
        .max(Comparator.comparingLong(SplitTime::latestMillis))
        .orElse(null);
  }
}
