package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.operator.Values;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.testkit.OperatorEvent;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a join must do with given events: keeps every row that was ever taken, and after each event
 * looks at all of them anew.
 */
public final class JoinModel {
  private static final Expected.Order NO_ORDER = new Expected.Order(0, 0, 0, null);

  /** A row; rows of equal content are told apart by their number. */
  private record Row(
      int number, int side, Object key, @Nullable Object value, long time, List<Window> windows) {}

  private record Pair(Row left, Row right, @Nullable Window window) {}

  private final Node.JoinKind kind;
  private final Node.Matching matching;
  private final long latenessMillis;
  private final @Nullable String lateLeft;
  private final @Nullable String lateRight;
  private final BinaryOperator<@Nullable Object> joiner;

  private long watermark = Timestamps.MIN;
  private int event = -1;
  private long processed;
  private long late;
  private long dropped;
  private final List<Row> rows = new ArrayList<>();
  private final Set<Pair> pairs = new HashSet<>();
  private final Set<Object> unmatched = new HashSet<>();
  private final List<Window> closedSessions = new ArrayList<>();
  private final List<Object> keysOfClosedSessions = new ArrayList<>();
  private final List<Expected> emitted = new ArrayList<>();

  /**
   * Of a node.
   *
   * @param joiner what the node's joiner does
   */
  public JoinModel(Node.JoinNode node, BinaryOperator<@Nullable Object> joiner) {
    this.kind = node.kind();
    this.matching = node.matching();
    this.latenessMillis = node.allowedLateness().toMillis();
    this.lateLeft = node.lateLeft() == null ? null : node.lateLeft().name();
    this.lateRight = node.lateRight() == null ? null : node.lateRight().name();
    this.joiner = joiner;
  }

  /** What must happen; to be called once. */
  public Outcome run(List<OperatorEvent> events) {
    for (OperatorEvent next : events) {
      event++;
      if (next instanceof OperatorEvent.Arrival arrival) {
        arrive(arrival.input(), arrival.record());
      } else if (next instanceof OperatorEvent.Watermark advance) {
        watermark = advance.millis();
      }
      look();
    }
    return new Outcome(emitted, processed, late, dropped);
  }

  private void arrive(int side, Record<@Nullable Object, @Nullable Object> record) {
    Object key = Objects.requireNonNull(record.key());
    long time = record.timestampMillis();
    List<Window> windows = List.of();
    boolean isLate;
    if (matching instanceof Node.Matching.InWindow in
        && in.windows() instanceof Windows.SessionWindows session) {
      Window own = new Window(time, Timestamps.plus(time, session.gap().toMillis()));
      isLate = isPast(own) || overlapsClosed(key, own);
    } else if (matching instanceof Node.Matching.InWindow in) {
      List<Window> all = ModelWindows.containing(in.windows(), time);
      if (all.isEmpty()) {
        dropped++;
        return;
      }
      windows = all.stream().filter(window -> !isPast(window)).toList();
      isLate = windows.isEmpty();
    } else {
      isLate = time < Timestamps.minus(watermark, latenessMillis);
    }
    if (isLate) {
      late++;
      String output = side == 0 ? lateLeft : lateRight;
      if (output != null) {
        emitted.add(new Expected(output, event, NO_ORDER, record));
      }
      return;
    }
    processed++;
    rows.add(new Row(event, side, key, record.value(), time, windows));
  }

  private boolean isPast(Window window) {
    return Timestamps.plus(window.endMillis(), latenessMillis) <= watermark;
  }

  private boolean overlapsClosed(Object key, Window own) {
    for (int i = 0; i < closedSessions.size(); i++) {
      if (keysOfClosedSessions.get(i).equals(key) && closedSessions.get(i).overlaps(own)) {
        return true;
      }
    }
    return false;
  }

  private void look() {
    if (matching instanceof Node.Matching.Between between) {
      between(between.from().toMillis(), between.to().toMillis());
    } else if (matching instanceof Node.Matching.InWindow in) {
      if (in.windows() instanceof Windows.SessionWindows session) {
        sessions(session.gap().toMillis());
      } else {
        windows();
      }
    }
  }

  private boolean keepsUnmatched(Row row) {
    return kind == Node.JoinKind.OUTER || (kind == Node.JoinKind.LEFT && row.side == 0);
  }

  private void pair(Row one, Row other, @Nullable Window window) {
    Row left = one.side == 0 ? one : other;
    Row right = one.side == 0 ? other : one;
    if (pairs.add(new Pair(left, right, window))) {
      emit(left.key, joiner.apply(left.value, right.value), Math.max(left.time, right.time));
    }
  }

  private void unmatched(Row row, Object where) {
    if (keepsUnmatched(row) && unmatched.add(List.of(row, where))) {
      emit(
          row.key,
          row.side == 0 ? joiner.apply(row.value, null) : joiner.apply(null, row.value),
          row.time);
    }
  }

  private void emit(Object key, @Nullable Object value, long time) {
    emitted.add(
        new Expected(
            "", event, NO_ORDER, new Record<>(key, Values.<Object>cast(value), time, null)));
  }

  private static boolean facing(Row one, Row other) {
    return one.side == 0 && other.side == 1 && one.key.equals(other.key);
  }

  private void between(long from, long to) {
    Set<Row> matched = new HashSet<>();
    for (Row left : rows) {
      for (Row right : rows) {
        if (facing(left, right)
            && right.time >= Timestamps.plus(left.time, from)
            && right.time <= Timestamps.plus(left.time, to)) {
          pair(left, right, null);
          matched.add(left);
          matched.add(right);
        }
      }
    }
    List<Row> done =
        new ArrayList<>(rows.stream().filter(row -> done(row, from, to) <= watermark).toList());
    done.sort(Comparator.comparingLong(row -> done(row, from, to)));
    for (Row row : done) {
      if (!matched.contains(row)) {
        unmatched(row, "");
      }
    }
  }

  private long done(Row row, long from, long to) {
    long last = row.side == 0 ? Timestamps.plus(row.time, to) : Timestamps.minus(row.time, from);
    return Timestamps.plus(Timestamps.plus(last, latenessMillis), 1);
  }

  private void windows() {
    for (Row left : rows) {
      for (Row right : rows) {
        if (facing(left, right)) {
          for (Window window : left.windows) {
            if (right.windows.contains(window)) {
              pair(left, right, window);
            }
          }
        }
      }
    }
    for (Row row : rows) {
      for (Window window : row.windows) {
        boolean alone =
            rows.stream()
                .noneMatch(
                    other ->
                        other.side != row.side
                            && other.key.equals(row.key)
                            && other.windows.contains(window));
        if (alone && isPast(window)) {
          unmatched(row, window);
        }
      }
    }
  }

  private void sessions(long gap) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingLong(Row::time));
    for (Object key : sorted.stream().map(Row::key).distinct().toList()) {
      List<Row> session = new ArrayList<>();
      for (Row row : sorted) {
        if (row.key.equals(key)) {
          if (!session.isEmpty()
              && row.time >= Timestamps.plus(session.get(session.size() - 1).time, gap)) {
            session(session, gap);
            session.clear();
          }
          session.add(row);
        }
      }
      session(session, gap);
    }
  }

  private void session(List<Row> session, long gap) {
    for (Row left : session) {
      for (Row right : session) {
        if (facing(left, right)) {
          pair(left, right, null);
        }
      }
    }
    Row last = session.get(session.size() - 1);
    Window window = new Window(session.get(0).time, Timestamps.plus(last.time, gap));
    if (isPast(window)) {
      if (session.stream().allMatch(row -> row.side == session.get(0).side)) {
        session.forEach(row -> unmatched(row, ""));
      }
      rows.removeAll(session);
      closedSessions.add(window);
      keysOfClosedSessions.add(session.get(0).key);
    }
  }
}
