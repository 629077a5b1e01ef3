package io.streamforge.testkit.model;

import io.streamforge.graph.Node;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.window.Trigger;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sessions: found anew, whenever they are asked for, by sorting the records of the key and cutting
 * where two are at least the gap apart. Sessions that were dropped are all kept in mind.
 */
final class SessionRun extends ModelRun {
  private static final class KeyHistory {
    final List<Item> live = new ArrayList<>();
    final List<Window> dropped = new ArrayList<>();

    /** Whether the key is known, and which records were not past when it came to be. */
    boolean known;

    long oldestMillis = Timestamps.MIN;

    /** Windows of results that were emitted and not taken back. */
    final TreeSet<Window> shown = new TreeSet<>();
  }

  private record Session(Window window, List<Item> items) {}

  private final long gapMillis;
  private final TreeMap<Object, KeyHistory> keys;

  SessionRun(
      Node.Windowing windowing,
      ToLongFunction<Object> hash,
      Function<List<@Nullable Object>, @Nullable Object> aggregate) {
    super(windowing, hash, aggregate);
    this.gapMillis = ((Windows.SessionWindows) windowing.windows()).gap().toMillis();
    this.keys = new TreeMap<>(Comparator.comparing(hash::applyAsLong, Long::compareUnsigned));
  }

  private List<Session> sessions(KeyHistory key) {
    List<Item> sorted = new ArrayList<>(key.live);
    sorted.sort(Comparator.comparingLong(Item::timestampMillis));
    List<Session> sessions = new ArrayList<>();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      items.add(sorted.get(i));
      long last = sorted.get(i).timestampMillis();
      if (i + 1 == sorted.size()
          || sorted.get(i + 1).timestampMillis() >= Timestamps.plus(last, gapMillis)) {
        long start = items.get(0).timestampMillis();
        Window window = new Window(start, Timestamps.plus(last, gapMillis));
        sessions.add(new Session(window, items));
        items = new ArrayList<>();
      }
    }
    return sessions;
  }

  private Session session(KeyHistory key, long timestampMillis) {
    return sessions(key).stream()
        .filter(session -> session.window().contains(timestampMillis))
        .findFirst()
        .orElseThrow();
  }

  private long dropMillis(long endMillis) {
    return Timestamps.plus(endMillis, latenessMillis);
  }

  @Override
  void arrive(Record<@Nullable Object, @Nullable Object> record) {
    long timestampMillis = record.timestampMillis();
    Object key = record.key();
    if (key == null) {
      throw new IllegalArgumentException("no key: " + record);
    }
    KeyHistory history = keys.computeIfAbsent(key, k -> new KeyHistory());
    if (!history.known) {
      history.oldestMillis =
          Timestamps.minus(Timestamps.minus(watermark, gapMillis), latenessMillis);
    }
    if (isLate(history, timestampMillis)) {
      late(record);
      return;
    }
    processed++;
    history.known = true;
    List<Session> before = sessions(history);
    Item item = new Item(record, 0);
    history.live.add(item);
    Session joined = session(history, timestampMillis);
    boolean closed = joined.window().endMillis() <= watermark;
    boolean sawClosed = false;
    boolean sawOpen = false;
    for (Session old : before) {
      if (joined.window().overlaps(old.window())) {
        sawClosed |= old.window().endMillis() <= watermark;
        sawOpen |= old.window().endMillis() > watermark;
      }
    }
    if (sawClosed && !closed) {
      // What late triggers waited for is off; timers of an open part stay.
      boolean open = sawOpen;
      for (Session old : before) {
        if (joined.window().overlaps(old.window())
            && (!open || old.window().endMillis() <= watermark)) {
          old.items().forEach(Item::clearTimers);
        }
      }
    }
    if (firesOnRecord(joined, item, closed)) {
      fire(key, history, joined, new Expected.Order(0, 0, 0, null));
    }
  }

  /**
   * Late is what reaches into a session that was dropped, however long ago; what is older than the
   * oldest that was not past when the key was heard of first, or again after it had been forgotten;
   * and what joins no session and would itself be past.
   */
  private boolean isLate(KeyHistory history, long timestampMillis) {
    Window own = new Window(timestampMillis, Timestamps.plus(timestampMillis, gapMillis));
    boolean joins = sessions(history).stream().anyMatch(s -> s.window().overlaps(own));
    return history.dropped.stream().anyMatch(own::overlaps)
        || timestampMillis < history.oldestMillis
        || (!joins && dropMillis(own.endMillis()) <= watermark);
  }

  /** Forgets keys of which nothing is open or kept, and no session was dropped lately. */
  private void forgetKeys() {
    for (KeyHistory history : keys.values()) {
      boolean recent =
          history.dropped.stream()
              .anyMatch(w -> watermark < Timestamps.plus(dropMillis(w.endMillis()), gapMillis));
      if (history.live.isEmpty() && !recent) {
        history.known = false;
      }
    }
  }

  private boolean firesOnRecord(Session session, Item added, boolean closed) {
    Trigger<?> trigger = closed ? windowing.lateTrigger() : windowing.earlyTrigger();
    if (trigger == null) {
      return closed;
    }
    return ModelTriggers.firesOnRecord(
        trigger, session.items(), added, session.window().startMillis(), watermark, clockMillis);
  }

  private void fire(Object key, KeyHistory history, Session session, Expected.Order order) {
    Window window = session.window();
    long millis = window.endMillis() - 1;
    List<Item> covered = new ArrayList<>();
    for (Item item : session.items()) {
      if (!discarding || !item.fired) {
        covered.add(item);
      }
    }
    if (!discarding) {
      for (Window shown : List.copyOf(history.shown)) {
        if (window.overlaps(shown)) {
          history.shown.remove(shown);
          if (!shown.equals(window)) {
            emit(key, shown, null, millis, order);
          }
        }
      }
      history.shown.add(window);
    }
    Object result = result(covered);
    session.items().forEach(item -> item.fired = true);
    emit(key, window, result, millis, order);
  }

  @Override
  void advance(long before) {
    // From one time at which anything happens to the next.
    long now = before;
    while (true) {
      Long next = nextTime(now);
      if (next == null || next > watermark) {
        forgetKeys();
        return;
      }
      now = next;
      for (Map.Entry<Object, KeyHistory> entry : keys.entrySet()) {
        at(entry.getKey(), entry.getValue(), now);
      }
    }
  }

  private @Nullable Long nextTime(long after) {
    TreeSet<Long> times = new TreeSet<>();
    for (KeyHistory history : keys.values()) {
      for (Session session : sessions(history)) {
        times.add(session.window().endMillis());
        times.add(dropMillis(session.window().endMillis()));
        session.items().forEach(item -> times.addAll(item.eventTimers));
      }
    }
    return times.higher(after);
  }

  private void at(Object key, KeyHistory history, long now) {
    Expected.Order order = new Expected.Order(1, now, hash.applyAsLong(key), null);
    for (Session session : sessions(history)) {
      List<Item> items = session.items();
      long end = session.window().endMillis();
      if (end == now) {
        items.forEach(Item::clearTimers);
        if (!discarding || ModelTriggers.unfired(items) > 0) {
          fire(key, history, session, order);
        }
      }
      boolean due = dropMillis(end) == now;
      for (Item item : items) {
        due |= item.eventTimers.remove(now);
      }
      if (due && ModelTriggers.unfired(items) > 0) {
        fire(key, history, session, order);
      }
      if (dropMillis(end) == now) {
        history.live.removeAll(items);
        history.dropped.add(session.window());
        history.shown.remove(session.window());
      }
    }
  }

  @Override
  void fireProcessingTimers() {
    TreeSet<Long> times = new TreeSet<>();
    keys.values()
        .forEach(
            k ->
                k.live.forEach(
                    item -> times.addAll(item.processingTimers.headSet(clockMillis, true))));
    for (long time : times) {
      for (Map.Entry<Object, KeyHistory> entry : keys.entrySet()) {
        for (Session session : sessions(entry.getValue())) {
          boolean due = false;
          for (Item item : session.items()) {
            due |= item.processingTimers.remove(time);
          }
          if (due && ModelTriggers.unfired(session.items()) > 0) {
            long keyHash = hash.applyAsLong(entry.getKey());
            fire(
                entry.getKey(),
                entry.getValue(),
                session,
                new Expected.Order(1, time, keyHash, null));
          }
        }
      }
    }
  }
}
