package io.streamforge.testkit.simulation;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.CheckpointPart;
import io.streamforge.runtime.task.PartProgress;
import io.streamforge.runtime.task.SavedCommittable;
import io.streamforge.runtime.task.TaskPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mistakes in what tasks and writers report of checkpoints, and in what they are told. */
final class ReportPlantings {
  private ReportPlantings() {}

  /** Changes what tasks and writers report. */
  private abstract static class Reports implements Planting {
    final Map<String, CheckpointPart> parts = new LinkedHashMap<>();

    @Override
    public CheckpointPart part(CheckpointPart part) {
      parts.put(part.id(), part);
      return part;
    }

    TaskPart changed(TaskPart part) {
      return part;
    }

    long number(long checkpoint) {
      return checkpoint;
    }

    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      return prepared;
    }

    @Override
    public CheckpointControl control(CheckpointControl control) {
      return new CheckpointControl() {
        @Override
        public void taken(TaskPart part) {
          control.taken(changed(part));
        }

        @Override
        public void written(
            long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
          control.written(number(checkpoint), writer, changed(checkpoint, writer, prepared));
        }

        @Override
        public void committed(long checkpoint, String writer) {
          control.committed(checkpoint, writer);
        }

        @Override
        public void declined(long checkpoint, String part, Throwable cause) {
          control.declined(checkpoint, part, cause);
        }

        @Override
        public void ended(String part) {
          control.ended(part);
        }
      };
    }

    static TaskPart with(
        TaskPart part,
        long checkpoint,
        UnaryOperator<TaskPart.SavedNode> nodes,
        UnaryOperator<Manifest.SplitPart> splits,
        UnaryOperator<TaskPart.SavedWriter> writers) {
      return new TaskPart(
          checkpoint,
          part.task(),
          part.groups(),
          part.nodes().stream().map(nodes).toList(),
          part.source(),
          part.splits().stream().map(splits).toList(),
          part.writers().stream().map(writers).toList(),
          part.inFlight());
    }

    static TaskPart with(TaskPart part, List<TaskPart.SavedInFlight> inFlight) {
      return new TaskPart(
          part.checkpoint(),
          part.task(),
          part.groups(),
          part.nodes(),
          part.source(),
          part.splits(),
          part.writers(),
          inFlight);
    }
  }

  static final class CommitBeforePublish extends Reports {
    @Override
    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      CheckpointPart part = parts.get(writer);
      if (part != null && prepared != null) {
        part.published(checkpoint, false);
      }
      return prepared;
    }
  }

  static final class WatermarkNotSaved extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          node ->
              new TaskPart.SavedNode(
                  node.node(),
                  node.times().stream()
                      .map(time -> new Manifest.GroupTime(time.groups(), Timestamps.MIN))
                      .toList(),
                  node.states()),
          UnaryOperator.identity(),
          UnaryOperator.identity());
    }
  }

  static final class PositionOfFetched extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          UnaryOperator.identity(),
          split ->
              split.finished()
                  ? split
                  : new Manifest.SplitPart(
                      split.id(),
                      split.position() + 1,
                      split.watermarkMillis(),
                      split.idle(),
                      false),
          UnaryOperator.identity());
    }
  }

  static final class PrepareNotCarried extends Reports {
    private final Set<Long> abandoned = new HashSet<>();

    @Override
    public CheckpointPart part(CheckpointPart part) {
      return super.part(
          new ForwardingPart(part) {
            @Override
            public void abandoned(long checkpoint) {
              abandoned.add(checkpoint);
              super.abandoned(checkpoint);
            }
          });
    }

    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          part.checkpoint(),
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          writer ->
              new TaskPart.SavedWriter(writer.id(), writer.node(), notCarried(writer.part())));
    }

    @Override
    Manifest.@Nullable WriterPart changed(
        long checkpoint, String writer, Manifest.@Nullable WriterPart prepared) {
      return prepared == null ? null : notCarried(prepared);
    }

    private Manifest.WriterPart notCarried(Manifest.WriterPart part) {
      return new Manifest.WriterPart(
          part.writer(),
          part.marker(),
          part.committables().stream()
              .filter(blob -> !abandoned.contains(SavedCommittable.read(blob).checkpoint()))
              .toList());
    }
  }

  static final class StaleReport extends Reports {
    private long current;

    @Override
    public CheckpointPart part(CheckpointPart part) {
      return super.part(
          new ForwardingPart(part) {
            @Override
            public void trigger(long checkpoint) {
              current = Math.max(current, checkpoint);
              super.trigger(checkpoint);
            }
          });
    }

    @Override
    long number(long checkpoint) {
      return Math.max(current, checkpoint);
    }

    @Override
    TaskPart changed(TaskPart part) {
      return with(
          part,
          number(part.checkpoint()),
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          UnaryOperator.identity());
    }
  }

  static final class InFlightForgotten extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      return with(part, List.of());
    }
  }

  static final class OvertakenTwice extends Reports {
    @Override
    TaskPart changed(TaskPart part) {
      List<TaskPart.SavedInFlight> twice = new ArrayList<>(part.inFlight());
      twice.addAll(part.inFlight());
      return with(part, twice);
    }
  }

  static final class BarrierOvertakes extends Reports {
    @Override
    public CheckpointPart part(CheckpointPart part) {
      super.part(part);
      return new ForwardingPart(part) {
        @Override
        public void trigger(long checkpoint) {
          super.trigger(checkpoint);
          parts.values().forEach(other -> other.trigger(checkpoint));
        }
      };
    }
  }

  private static class ForwardingPart implements CheckpointPart {
    private final CheckpointPart part;

    ForwardingPart(CheckpointPart part) {
      this.part = part;
    }

    @Override
    public String id() {
      return part.id();
    }

    @Override
    public boolean isSource() {
      return part.isSource();
    }

    @Override
    public void trigger(long checkpoint) {
      part.trigger(checkpoint);
    }

    @Override
    public void overtake(long checkpoint) {
      part.overtake(checkpoint);
    }

    @Override
    public void hold(boolean held) {
      part.hold(held);
    }

    @Override
    public void published(long checkpoint, boolean last) {
      part.published(checkpoint, last);
    }

    @Override
    public void abandoned(long checkpoint) {
      part.abandoned(checkpoint);
    }

    @Override
    public PartProgress progress(long checkpoint) {
      return part.progress(checkpoint);
    }
  }
}
