package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.testkit.OperatorEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a join with a table must do with given records and updates: keeps all of them. Events at an
 * input that is a table are updates, with the new row as value.
 */
public final class TableJoinModel {
  private static final Expected.Order NO_ORDER = new Expected.Order(0, 0, 0, null);

  private record Waiting(String key, @Nullable Object value, long timeMillis) {}

  private final Node.JoinNode node;
  private final BinaryOperator<@Nullable Object> joiner;
  private final UnaryOperator<@Nullable Object> derived;
  private final TableModel left = TableModel.remembering();
  private final TableModel right;
  private final long latenessMillis;

  private long watermark = Timestamps.MIN;
  private int event = -1;
  private long processed;
  private long late;
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<TableModel.Update> versions = new ArrayList<>();
  private final List<Expected> emitted = new ArrayList<>();

  /**
   * Of a node.
   *
   * @param joiner what the node's joiner does
   */
  public TableJoinModel(Node.JoinNode node, BinaryOperator<@Nullable Object> joiner) {
    this(node, joiner, TableModel.remembering(), row -> row);
  }

  /**
   * Of a node.
   *
   * @param joiner what the node's joiner does
   * @param right takes updates of the table on the right
   * @param derived what is made of a row of it before it is joined
   */
  public TableJoinModel(
      Node.JoinNode node,
      BinaryOperator<@Nullable Object> joiner,
      TableModel right,
      UnaryOperator<@Nullable Object> derived) {
    this.node = node;
    this.joiner = joiner;
    this.right = right;
    this.derived = derived;
    this.latenessMillis = node.allowedLateness().toMillis();
  }

  /** What must happen; to be called once. */
  public Outcome run(List<OperatorEvent> events) {
    for (OperatorEvent next : events) {
      event++;
      if (next instanceof OperatorEvent.Arrival arrival) {
        Record<@Nullable Object, @Nullable Object> record = arrival.record();
        String key = Values.cast(record.key());
        arrive(arrival.input(), key, record.value(), record.timestampMillis());
      } else if (next instanceof OperatorEvent.Watermark advance) {
        watermark = advance.millis();
      }
      look();
    }
    return new Outcome(emitted, processed, late, 0);
  }

  private void arrive(int side, String key, @Nullable Object value, long timeMillis) {
    if (node.matching() instanceof Node.Matching.Tables) {
      change(side, key, value, timeMillis);
    } else if (node.matching() instanceof Node.Matching.Latest) {
      if (side == 0) {
        emitJoined(key, value, derived(right.row(key)), timeMillis);
        processed++;
      } else if (right.take(key, value, timeMillis, watermark) != null) {
        processed++;
      }
    } else if (side == 1 && right.take(key, value, timeMillis, watermark) == null) {
      return;
    } else if (timeMillis < TableModel.horizon(watermark, latenessMillis)) {
      late++;
      var output = side == 0 ? node.lateLeft() : node.lateRight();
      if (output != null) {
        emit(output.name(), key, side == 0 ? value : derived(value), timeMillis);
      }
    } else {
      processed++;
      if (side == 0) {
        waiting.add(new Waiting(key, value, timeMillis));
      } else {
        versions.add(new TableModel.Update(versions.size(), key, value, timeMillis));
      }
    }
  }

  private @Nullable Object derived(@Nullable Object row) {
    return row == null ? null : derived.apply(row);
  }

  private void change(int side, String key, @Nullable Object value, long timeMillis) {
    processed++;
    Object before = joined(left.row(key), derived(right.row(key)));
    Change<Object> change = (side == 0 ? left : right).take(key, value, timeMillis, watermark);
    Object after = joined(left.row(key), derived(right.row(key)));
    if (change != null && change.shows() && (before != null || after != null)) {
      emit("", key, Change.of(before, after), timeMillis);
    }
  }

  private @Nullable Object joined(@Nullable Object ofLeft, @Nullable Object ofRight) {
    boolean shown =
        switch (node.kind()) {
          case INNER -> ofLeft != null && ofRight != null;
          case LEFT -> ofLeft != null;
          case OUTER -> ofLeft != null || ofRight != null;
        };
    return shown ? joiner.apply(ofLeft, ofRight) : null;
  }

  private void emitJoined(
      String key, @Nullable Object value, @Nullable Object row, long timeMillis) {
    if (row != null || node.kind() == Node.JoinKind.LEFT) {
      emit("", key, joiner.apply(value, row), timeMillis);
    }
  }

  private void emit(String output, String key, @Nullable Object value, long timeMillis) {
    emitted.add(
        new Expected(
            output,
            event,
            NO_ORDER,
            new Record<>(key, Values.<Object>cast(value), timeMillis, null)));
  }

  private void look() {
    for (Waiting row : List.copyOf(waiting)) {
      if (Timestamps.plus(Timestamps.plus(row.timeMillis, latenessMillis), 1) <= watermark) {
        waiting.remove(row);
        Object version = TableModel.asOf(versions, row.key, row.timeMillis);
        emitJoined(row.key, row.value, derived(version), row.timeMillis);
      }
    }
  }
}
