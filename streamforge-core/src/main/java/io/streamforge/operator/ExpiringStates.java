package io.streamforge.operator;

import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Handles as those of {@link ScopedStates}, of states whose content expires. */
@Specialised
final class ExpiringStates implements StateDeclarations {
  private final StateDeclarations plain;
  private final KeyedStates states;
  private final KeyContext keyContext;
  private final ExpiringContent content;
  private final StateReaders readers;
  private final TimeDomain domain;
  private final Expiry expiry;

  ExpiringStates(
      StateDeclarations plain,
      KeyedStates states,
      KeyContext keyContext,
      ExpiringContent content,
      StateReaders readers,
      TimeToLive timeToLive) {
    this.plain = plain;
    this.states = states;
    this.keyContext = keyContext;
    this.content = content;
    this.readers = readers;
    this.domain = timeToLive.domain();
    this.expiry = content.expiry(timeToLive);
  }

  @Override
  public StateDeclarations expiring(TimeToLive timeToLive) {
    return plain.expiring(timeToLive);
  }

  @Override
  public StateDeclarations previously(String oldName) {
    return this;
  }

  @Override
  public <T> ValueState<T> value(String name, Serde<T> serde) {
    KeyedTable<Stamped<T>> table = table(name, stamped(name, serde));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          Stamped<T> present = table.read(key, hash);
          return present == null || expiredAt(present.stampMillis, now(eventTimeMillis))
              ? null
              : present.value;
        });
    return new Value<>(table, keyContext, expiry);
  }

  @Override
  public LongState longValue(String name) {
    ColumnTable table =
        states.columns(
            ColumnsDescriptor.of(name, 2, stampedLong(domain))
                .or(
                    List.of(
                        new ColumnsDescriptor.Alternative(
                            1, ScopedStates.LONG, longs -> stampedAnew(name, longs)),
                        new ColumnsDescriptor.Alternative(
                            2, stampedLong(other(domain)), longs -> stampedAnew(name, longs)))));
    content.add(places -> table.purge(places, at -> expiry.expired(table.columns()[at + 1])));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          int at = table.seek(key, hash);
          return at < 0 || expiredAt(table.columns()[at + 1], now(eventTimeMillis))
              ? null
              : table.columns()[at];
        });
    return new LongValue(table, keyContext, expiry);
  }

  private long[] stampedAnew(String state, long[] longs) {
    return new long[] {longs[0], content.restoredStamp(state, domain)};
  }

  private static TimeDomain other(TimeDomain domain) {
    return domain == TimeDomain.EVENT ? TimeDomain.PROCESSING : TimeDomain.EVENT;
  }

  @Override
  public <T> ListState<T> list(String name, Serde<T> elements) {
    KeyedTable<StampedGroup<List<Stamped<T>>>> table =
        table(name, stampedList(stamped(name, elements)));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          StampedGroup<List<Stamped<T>>> group = table.read(key, hash);
          List<T> present = new ArrayList<>();
          if (group != null) {
            long nowMillis = now(eventTimeMillis);
            for (Stamped<T> element : group.value) {
              if (!expiredAt(element.stampMillis, nowMillis)) {
                present.add(element.value);
              }
            }
          }
          return present.isEmpty() ? null : present;
        });
    return new Elements<>(table, keyContext, expiry);
  }

  @Override
  public <F, T> MapState<F, T> map(String name, Serde<F> fields, Serde<T> values) {
    KeyedTable<StampedGroup<Map<F, Stamped<T>>>> table =
        table(name, stampedMap(fields, stamped(name, values)));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          StampedGroup<Map<F, Stamped<T>>> group = table.read(key, hash);
          Map<F, T> present = new LinkedHashMap<>();
          if (group != null) {
            long nowMillis = now(eventTimeMillis);
            group.value.forEach(
                (field, value) -> {
                  if (!expiredAt(value.stampMillis, nowMillis)) {
                    present.put(field, value.value);
                  }
                });
          }
          return present.isEmpty() ? null : present;
        });
    return new Fields<>(table, keyContext, expiry);
  }

  /** The time by which a query sees what has expired. */
  private long now(long eventTimeMillis) {
    return content.nowMillis(domain, eventTimeMillis);
  }

  private boolean expiredAt(long stampMillis, long nowMillis) {
    return expiry.expiredAt(stampMillis, nowMillis);
  }

  private <S extends Stamped<?>> KeyedTable<S> table(String name, Serde<S> serde) {
    KeyedTable<S> table = states.table(StateDescriptor.of(name, serde));
    Predicate<Stamped<?>> expired = expiry::expired;
    content.add(places -> table.purge(places, expired));
    return table;
  }

  private <T> Serde<Stamped<T>> stamped(String state, Serde<T> values) {
    return new StampedSerde<>(values, domain, () -> content.restoredStamp(state, domain));
  }

  private static <T> Serde<StampedGroup<List<Stamped<T>>>> stampedList(Serde<Stamped<T>> elements) {
    return Serdes.mapped(
        "list", Serdes.list(elements), group -> group.value, list -> StampedGroup.of(list, list));
  }

  private static <F, T> Serde<StampedGroup<Map<F, Stamped<T>>>> stampedMap(
      Serde<F> fields, Serde<Stamped<T>> values) {
    return Serdes.mapped(
        "map",
        Serdes.map(fields, values),
        group -> group.value,
        map -> StampedGroup.of(map, map.values()));
  }

  private static String stampedLong(TimeDomain domain) {
    return ScopedStates.LONG + "{value, " + StampedSerde.stampName(domain) + "}";
  }

  /** Reads what was stored while the state expired. */
  static <T> Serde<T> unstamped(Serde<T> values) {
    return Serdes.mapped(
        values.name(), droppingStamps(values), value -> new Stamped<>(value, 0), s -> s.value);
  }

  /** As {@link #unstamped}. */
  static <T> Serde<List<T>> unstampedList(Serde<T> elements) {
    return Serdes.list(unstamped(elements));
  }

  /** As {@link #unstamped}. */
  static <F, T> Serde<Map<F, T>> unstampedMap(Serde<F> fields, Serde<T> values) {
    return Serdes.map(fields, unstamped(values));
  }

  /** As {@link #unstamped}. */
  static List<ColumnsDescriptor.Alternative> unstampedLongs() {
    List<ColumnsDescriptor.Alternative> all = new ArrayList<>();
    for (TimeDomain domain : TimeDomain.values()) {
      all.add(
          new ColumnsDescriptor.Alternative(
              2, stampedLong(domain), longs -> new long[] {longs[0]}));
    }
    return all;
  }

  private static <T> Serde<Stamped<T>> droppingStamps(Serde<T> values) {
    LongSupplier none = () -> 0;
    return new StampedSerde<>(values, TimeDomain.EVENT, none);
  }

  private static <T> Stamped<T> stamped(T value, Expiry expiry) {
    return new Stamped<>(Objects.requireNonNull(value, StampedGroup.NO_NULL), expiry.stampMillis());
  }

  private static final class Value<T> extends ScopedStates.Scoped<Stamped<T>>
      implements ValueState<T> {
    private final Expiry expiry;

    Value(KeyedTable<Stamped<T>> table, KeyContext keyContext, Expiry expiry) {
      super(table, keyContext);
      this.expiry = expiry;
    }

    @Override
    public @Nullable T get() {
      Stamped<T> present = entry();
      if (present == null || expiry.expired(present)) {
        return null;
      }
      if (expiry.readsRenew()) {
        present.renew(expiry.stampMillis());
      }
      return present.value;
    }

    @Override
    public void set(@Nullable T value) {
      if (value == null) {
        clear();
        return;
      }
      Stamped<T> present = entry();
      if (present == null) {
        put(stamped(value, expiry));
      } else {
        present.value = value;
        present.renew(expiry.stampMillis());
      }
    }
  }

  /** Two columns: the value and its stamp. */
  private static final class LongValue implements LongState {
    private final ColumnTable table;
    private final KeyContext keyContext;
    private final Expiry expiry;

    LongValue(ColumnTable table, KeyContext keyContext, Expiry expiry) {
      this.table = table;
      this.keyContext = keyContext;
      this.expiry = expiry;
    }

    @Override
    public long get() {
      int at = table.seek(ScopedStates.keyOf(keyContext), keyContext.hash);
      if (at < 0 || expiry.expired(table.columns()[at + 1])) {
        return 0;
      }
      long value = table.columns()[at];
      if (expiry.readsRenew()) {
        set(value);
      }
      return value;
    }

    @Override
    public void set(long value) {
      Object key = ScopedStates.keyOf(keyContext);
      boolean present = table.seek(key, keyContext.hash) >= 0;
      int at = table.locate(key, keyContext.hash);
      long[] columns = table.columns();
      long stampMillis = expiry.stampMillis();
      columns[at] = value;
      columns[at + 1] = present ? Math.max(columns[at + 1], stampMillis) : stampMillis;
    }

    @Override
    public long add(long delta) {
      int at = table.seek(ScopedStates.keyOf(keyContext), keyContext.hash);
      boolean expired = at < 0 || expiry.expired(table.columns()[at + 1]);
      long sum = expired ? delta : table.columns()[at] + delta;
      set(sum);
      return sum;
    }

    @Override
    public void clear() {
      table.remove(ScopedStates.keyOf(keyContext), keyContext.hash);
    }
  }

  private static final class Elements<T> extends ScopedStates.Scoped<StampedGroup<List<Stamped<T>>>>
      implements ListState<T> {
    private final Expiry expiry;

    Elements(
        KeyedTable<StampedGroup<List<Stamped<T>>>> table, KeyContext keyContext, Expiry expiry) {
      super(table, keyContext);
      this.expiry = expiry;
    }

    @Override
    public List<T> get() {
      StampedGroup<List<Stamped<T>>> group = expiry.readsRenew() ? entry() : seen();
      if (group == null) {
        return List.of();
      }
      List<T> elements = new ArrayList<>();
      for (Stamped<T> element : group.value) {
        if (!expiry.expired(element)) {
          if (expiry.readsRenew()) {
            element.renew(expiry.stampMillis());
            group.renew(expiry.stampMillis());
          }
          elements.add(element.value);
        }
      }
      return Collections.unmodifiableList(elements);
    }

    @Override
    public void add(T element) {
      StampedGroup<List<Stamped<T>>> group = entry();
      if (group == null) {
        List<Stamped<T>> none = new ArrayList<>();
        group = StampedGroup.of(none, none);
        put(group);
      }
      group.adding(group.value, expiry);
      group.value.add(stamped(element, expiry));
      group.renew(expiry.stampMillis());
    }

    @Override
    public void set(List<T> elements) {
      List<Stamped<T>> stamped = new ArrayList<>();
      for (T element : elements) {
        stamped.add(stamped(element, expiry));
      }
      put(StampedGroup.of(stamped, stamped));
    }
  }

  private static final class Fields<F, T>
      extends ScopedStates.Scoped<StampedGroup<Map<F, Stamped<T>>>> implements MapState<F, T> {
    private final Expiry expiry;

    Fields(
        KeyedTable<StampedGroup<Map<F, Stamped<T>>>> table, KeyContext keyContext, Expiry expiry) {
      super(table, keyContext);
      this.expiry = expiry;
    }

    @Override
    public @Nullable T get(F field) {
      StampedGroup<Map<F, Stamped<T>>> group = expiry.readsRenew() ? entry() : seen();
      Stamped<T> present = group == null ? null : group.value.get(field);
      if (group == null || present == null || expiry.expired(present)) {
        return null;
      }
      renewIfRead(group, present);
      return present.value;
    }

    private void renewIfRead(StampedGroup<?> group, Stamped<T> present) {
      if (expiry.readsRenew()) {
        present.renew(expiry.stampMillis());
        group.renew(expiry.stampMillis());
      }
    }

    @Override
    public void put(F field, T value) {
      StampedGroup<Map<F, Stamped<T>>> group = entry();
      if (group == null) {
        Map<F, Stamped<T>> none = new LinkedHashMap<>();
        group = StampedGroup.of(none, none.values());
        put(group);
      }
      Stamped<T> present = group.value.get(field);
      if (present != null && !expiry.expired(present)) {
        present.value = Objects.requireNonNull(value, StampedGroup.NO_NULL);
        present.renew(expiry.stampMillis());
      } else {
        // One that has expired is inserted anew, behind the others.
        group.value.remove(field);
        group.adding(group.value.values(), expiry);
        group.value.put(field, stamped(value, expiry));
      }
      group.renew(expiry.stampMillis());
    }

    @Override
    public void remove(F field) {
      StampedGroup<Map<F, Stamped<T>>> group = entry();
      if (group != null) {
        group.value.remove(field);
        if (group.value.isEmpty()) {
          clear();
        }
      }
    }

    @Override
    public Map<F, T> entries() {
      StampedGroup<Map<F, Stamped<T>>> group = expiry.readsRenew() ? entry() : seen();
      if (group == null) {
        return Map.of();
      }
      Map<F, T> fields = new LinkedHashMap<>();
      for (Map.Entry<F, Stamped<T>> field : group.value.entrySet()) {
        if (!expiry.expired(field.getValue())) {
          renewIfRead(group, field.getValue());
          fields.put(field.getKey(), field.getValue().value);
        }
      }
      return Collections.unmodifiableMap(fields);
    }
  }
}
