package io.streamforge.testkit.simulation;

import io.streamforge.record.Record;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** What joins and tables of all rows of their inputs come to, in no particular order. */
final class RowModels {
  private RowModels() {}

  /** Which rows a join brings together, and until when. */
  enum Joined {
    BETWEEN,
    TUMBLING,
    SESSION
  }

  static int both(@Nullable Integer left, @Nullable Integer right) {
    return 31 * (left == null ? 7_777 : left) + (right == null ? 5_555 : right);
  }

  static List<Record<String, Integer>> joined(
      List<Record<String, Integer>> left,
      List<Record<String, Integer>> right,
      Joined how,
      int kind,
      int from,
      int size) {
    Map<String, List<Record<String, Integer>>> ofLeft = byKey(left);
    Map<String, List<Record<String, Integer>>> ofRight = byKey(right);
    Set<String> keys = new TreeSet<>(ofLeft.keySet());
    keys.addAll(ofRight.keySet());
    List<Record<String, Integer>> results = new ArrayList<>();
    for (String key : keys) {
      List<Record<String, Integer>> l = ofLeft.getOrDefault(key, List.of());
      List<Record<String, Integer>> r = ofRight.getOrDefault(key, List.of());
      List<Long> times = new ArrayList<>();
      l.forEach(row -> times.add(row.timestampMillis()));
      r.forEach(row -> times.add(row.timestampMillis()));
      times.sort(null);
      Partners partners =
          switch (how) {
            case BETWEEN -> (a, b) -> b - a >= from && b - a <= from + size;
            case TUMBLING -> (a, b) -> Math.floorDiv(a, size) == Math.floorDiv(b, size);
            case SESSION -> (a, b) -> chained(times, Math.min(a, b), Math.max(a, b), size);
          };
      // A record may be on both sides, and oftener than once.
      Set<Object> matchedLeft = Collections.newSetFromMap(new IdentityHashMap<>());
      Set<Object> matchedRight = Collections.newSetFromMap(new IdentityHashMap<>());
      for (Record<String, Integer> a : l) {
        for (Record<String, Integer> b : r) {
          if (partners.are(a.timestampMillis(), b.timestampMillis())) {
            matchedLeft.add(a);
            matchedRight.add(b);
            long time = Math.max(a.timestampMillis(), b.timestampMillis());
            results.add(new Record<>(key, both(a.value(), b.value()), time, null));
          }
        }
      }
      if (kind > 0) {
        l.stream()
            .filter(a -> !matchedLeft.contains(a))
            .forEach(
                a ->
                    results.add(
                        new Record<>(key, both(a.value(), null), a.timestampMillis(), null)));
      }
      if (kind > 1) {
        r.stream()
            .filter(b -> !matchedRight.contains(b))
            .forEach(
                b ->
                    results.add(
                        new Record<>(key, both(null, b.value()), b.timestampMillis(), null)));
      }
    }
    return results;
  }

  private interface Partners {
    boolean are(long leftMillis, long rightMillis);
  }

  /** Whether no two times that follow each other between these are the gap apart or more. */
  static boolean chained(List<Long> sorted, long first, long last, int gap) {
    long before = first;
    for (long time : sorted) {
      if (time >= first && time <= last) {
        if (time - before >= gap) {
          return false;
        }
        before = time;
      }
    }
    return true;
  }

  static Map<String, List<Record<String, Integer>>> byKey(List<Record<String, Integer>> model) {
    Map<String, List<Record<String, Integer>>> all = new TreeMap<>();
    model.forEach(record -> all.computeIfAbsent(record.key(), k -> new ArrayList<>()).add(record));
    return all;
  }

  /** Whether the order of updates follows from their times. */
  static boolean ordered(List<Record<String, Integer>> updates) {
    Set<String> seen = new TreeSet<>();
    return updates.stream().allMatch(u -> seen.add(u.key() + "@" + u.timestampMillis()));
  }

  /** Records with the row of their time among the updates of a table of which some rows pass. */
  static List<Record<String, Integer>> asOf(
      List<Record<String, Integer>> records,
      List<Record<String, Integer>> updates,
      IntPredicate passes,
      boolean inner) {
    Map<String, List<Record<String, Integer>>> ofKey = byKey(updates);
    List<Record<String, Integer>> results = new ArrayList<>();
    for (Record<String, Integer> record : records) {
      Record<String, Integer> newest = null;
      for (Record<String, Integer> update : ofKey.getOrDefault(record.key(), List.of())) {
        if (update.timestampMillis() <= record.timestampMillis()
            && (newest == null || newest.timestampMillis() < update.timestampMillis())) {
          newest = update;
        }
      }
      Integer row = newest == null || !passes.test(newest.value()) ? null : newest.value();
      if (!inner || row != null) {
        results.add(
            new Record<>(record.key(), both(record.value(), row), record.timestampMillis(), null));
      }
    }
    return results;
  }

  /** The rows of a table in the end, of which some pass. */
  static Map<String, Integer> rows(List<Record<String, Integer>> updates, IntPredicate passes) {
    Map<String, Integer> rows = new TreeMap<>();
    byKey(updates)
        .forEach(
            (key, all) -> {
              Record<String, Integer> newest =
                  Collections.max(
                      all, (a, b) -> Long.compare(a.timestampMillis(), b.timestampMillis()));
              if (passes.test(newest.value())) {
                rows.put(key, newest.value());
              }
            });
    return rows;
  }

  /** The rows of a join of tables in the end. */
  static Map<String, Integer> joinedRows(
      Map<String, Integer> left, Map<String, Integer> right, int kind) {
    Set<String> keys = new TreeSet<>(left.keySet());
    keys.addAll(right.keySet());
    Map<String, Integer> rows = new TreeMap<>();
    for (String key : keys) {
      Integer l = left.get(key);
      Integer r = right.get(key);
      if (kind == 0 ? l != null && r != null : kind == 2 || l != null) {
        rows.put(key, both(l, r));
      }
    }
    return rows;
  }
}
