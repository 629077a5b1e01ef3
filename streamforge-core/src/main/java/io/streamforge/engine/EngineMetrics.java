package io.streamforge.engine;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.metrics.TaskMetrics;
import io.streamforge.runtime.JobRuntime;
import java.util.function.Supplier;

/**
 * Shows a job's metrics through the OpenTelemetry API. They are read when a reader asks; without an
 * SDK nobody ever does.
 */
final class EngineMetrics implements AutoCloseable {
  private static final AttributeKey<String> JOB = AttributeKey.stringKey("streamforge.job");
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("streamforge.node");
  private static final AttributeKey<String> TASK = AttributeKey.stringKey("streamforge.task");
  private static final AttributeKey<String> REASON = AttributeKey.stringKey("streamforge.reason");

  private final Supplier<JobRuntime> job;
  private final ObservableLongMeasurement in;
  private final ObservableLongMeasurement out;
  private final ObservableLongMeasurement late;
  private final ObservableLongMeasurement dropped;
  private final ObservableLongMeasurement deadLettered;
  private final ObservableLongMeasurement timersRejected;
  private final ObservableLongMeasurement watermark;
  private final ObservableLongMeasurement credits;
  private final ObservableDoubleMeasurement pace;
  private final ObservableDoubleMeasurement busy;
  private final ObservableDoubleMeasurement blocked;
  private final ObservableDoubleMeasurement idle;
  private final ObservableLongMeasurement published;
  private final ObservableLongMeasurement abandoned;
  private final ObservableLongMeasurement duration;
  private final ObservableLongMeasurement size;
  private final ObservableLongMeasurement fullSize;
  private final ObservableLongMeasurement inFlightSize;
  private final ObservableLongMeasurement longestAlignment;
  private final ObservableLongMeasurement alignment;
  private final BatchCallback callback;

  private EngineMetrics(Supplier<JobRuntime> job, OpenTelemetry telemetry) {
    this.job = job;
    Meter meter = telemetry.getMeter("io.streamforge");
    in = counter(meter, "streamforge.node.records.in", "Records that have entered the node");
    out = counter(meter, "streamforge.node.records.out", "Records that the node has emitted");
    late = counter(meter, "streamforge.node.records.late", "Records no window accepted any more");
    dropped = counter(meter, "streamforge.node.records.dropped", "Records dropped, by reason");
    deadLettered =
        counter(
            meter,
            "streamforge.node.records.dead_lettered",
            "Rejected records that have gone to the node's dead letters");
    timersRejected =
        meter
            .counterBuilder("streamforge.node.timers.rejected")
            .setDescription("Timers whose function has failed, where an error policy covers that")
            .setUnit("{timer}")
            .buildObserver();
    watermark =
        meter
            .gaugeBuilder("streamforge.node.watermark")
            .setDescription("Event time of the node")
            .setUnit("ms")
            .ofLongs()
            .buildObserver();
    credits =
        meter
            .gaugeBuilder("streamforge.task.credits")
            .setDescription("Batches that the task's outputs could still fill")
            .setUnit("{batch}")
            .ofLongs()
            .buildObserver();
    pace =
        meter
            .gaugeBuilder("streamforge.task.pace")
            .setDescription("Records a second that what follows the task takes")
            .setUnit("{record}/s")
            .buildObserver();
    busy = share(meter, "busy", "working");
    blocked = share(meter, "blocked", "waiting for room downstream");
    idle = share(meter, "idle", "waiting for input");
    published = checkpoints(meter, "published", "Checkpoints that have been published");
    abandoned = checkpoints(meter, "abandoned", "Checkpoints that have been given up");
    duration = lastCheckpoint(meter, "duration", "ms", "How long the last checkpoint took");
    size = lastCheckpoint(meter, "size", "By", "State that was written for the last checkpoint");
    fullSize = lastCheckpoint(meter, "full_size", "By", "State that the last checkpoint has");
    inFlightSize =
        lastCheckpoint(
            meter, "in_flight_size", "By", "Records on their way in the last checkpoint");
    longestAlignment =
        lastCheckpoint(
            meter,
            "alignment",
            "ms",
            "For how long a task waited for its last barrier in the last checkpoint, at most");
    alignment =
        meter
            .gaugeBuilder("streamforge.task.alignment")
            .setDescription(
                "For how long the task waited for its last barrier in its last checkpoint")
            .setUnit("ms")
            .ofLongs()
            .buildObserver();
    callback =
        meter.batchCallback(
            this::record,
            in,
            out,
            late,
            dropped,
            deadLettered,
            timersRejected,
            watermark,
            credits,
            pace,
            busy,
            blocked,
            idle,
            published,
            abandoned,
            duration,
            size,
            fullSize,
            inFlightSize,
            longestAlignment,
            alignment);
  }

  static EngineMetrics register(Supplier<JobRuntime> job, OpenTelemetry telemetry) {
    return new EngineMetrics(job, telemetry);
  }

  private static ObservableLongMeasurement counter(Meter meter, String name, String description) {
    return meter
        .counterBuilder(name)
        .setDescription(description)
        .setUnit("{record}")
        .buildObserver();
  }

  private static ObservableDoubleMeasurement share(Meter meter, String what, String description) {
    return meter
        .gaugeBuilder("streamforge.task." + what)
        .setDescription("Share of the task's time spent " + description)
        .setUnit("1")
        .buildObserver();
  }

  private static ObservableLongMeasurement checkpoints(
      Meter meter, String what, String description) {
    return meter
        .counterBuilder("streamforge.checkpoints." + what)
        .setDescription(description)
        .setUnit("{checkpoint}")
        .buildObserver();
  }

  private static ObservableLongMeasurement lastCheckpoint(
      Meter meter, String what, String unit, String description) {
    return meter
        .gaugeBuilder("streamforge.checkpoint." + what)
        .setDescription(description)
        .setUnit(unit)
        .ofLongs()
        .buildObserver();
  }

  private void record() {
    JobMetrics metrics = job.get().metrics();
    for (NodeMetrics node : metrics.nodes()) {
      Attributes attributes = Attributes.of(JOB, metrics.job(), NODE, node.node());
      in.record(node.in(), attributes);
      out.record(node.out(), attributes);
      late.record(node.late(), attributes);
      node.dropped()
          .forEach(
              (reason, count) ->
                  dropped.record(count, attributes.toBuilder().put(REASON, reason).build()));
      deadLettered.record(node.deadLettered(), attributes);
      timersRejected.record(node.timersRejected(), attributes);
      if (node.watermarkMillis() != Long.MIN_VALUE && node.watermarkMillis() != Long.MAX_VALUE) {
        watermark.record(node.watermarkMillis(), attributes);
      }
    }
    for (TaskMetrics task : metrics.tasks()) {
      Attributes attributes = Attributes.of(JOB, metrics.job(), TASK, task.task());
      busy.record(task.busyShare(), attributes);
      blocked.record(task.blockedShare(), attributes);
      idle.record(task.idleShare(), attributes);
      credits.record(task.credits(), attributes);
      if (task.pace() > 0) {
        pace.record(task.pace(), attributes);
      }
      if (metrics.checkpoints() != null) {
        alignment.record(task.alignmentMillis(), attributes);
      }
    }
    CheckpointMetrics checkpoints = metrics.checkpoints();
    if (checkpoints != null) {
      Attributes attributes = Attributes.of(JOB, metrics.job());
      published.record(checkpoints.published(), attributes);
      abandoned.record(checkpoints.abandoned(), attributes);
      if (checkpoints.lastNumber() > 0) {
        duration.record(checkpoints.lastDurationMillis(), attributes);
        size.record(checkpoints.lastBytes(), attributes);
        fullSize.record(checkpoints.fullBytes(), attributes);
        inFlightSize.record(checkpoints.inFlightBytes(), attributes);
        longestAlignment.record(checkpoints.alignmentMillis(), attributes);
      }
    }
  }

  @Override
  public void close() {
    callback.close();
  }
}
