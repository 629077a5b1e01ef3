package io.streamforge.runtime;

import io.streamforge.runtime.source.SourceCoordinator;
import io.streamforge.runtime.task.SinkPump;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.scheduler.DeferredWaker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a job consists of. Complete before the job starts, and not changed after that. */
final class JobParts {
  private static final Logger LOG = LoggerFactory.getLogger(JobParts.class);

  private final String job;

  /** In the order of stages, and of their indexes within a stage. */
  final List<StageTask> tasks = new ArrayList<>();

  final Map<String, List<StageTask>> tasksOfNode = new HashMap<>();
  final List<SinkPump> pumps = new ArrayList<>();
  final List<SourceCoordinator> coordinators = new ArrayList<>();

  /** Those of the tasks, in the same order, then those of helpers. */
  final List<DeferredWaker> wakers = new ArrayList<>();

  /** What no part closes yet; by identity. */
  final Set<AutoCloseable> opened = Collections.newSetFromMap(new IdentityHashMap<>());

  JobParts(String job) {
    this.job = job;
  }

  void wakeAll() {
    wakers.forEach(DeferredWaker::wake);
  }

  /** Closes what no thread runs any more. */
  void abandon() {
    tasks.forEach(StageTask::abandon);
    pumps.forEach(SinkPump::abandon);
    coordinators.forEach(coordinator -> closeQuietly(coordinator::close));
  }

  /** Closes what the assembly has left open when it failed. */
  void closeOpened() {
    opened.forEach(this::closeQuietly);
  }

  void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      LOG.debug("job '{}' could not close all it holds", job, e);
    }
  }
}
