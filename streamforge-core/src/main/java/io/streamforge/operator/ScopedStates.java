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
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** State handles over keyed tables, scoped to the key in hand of the task. */
@Specialised
final class ScopedStates implements StateDeclarations {
  /** Form of a long. */
  static final String LONG = "long";

  private final OperatorContext context;
  private final KeyedStates states;
  private final KeyContext keyContext;

  private final StateReaders readers = new StateReaders();

  /** Null while no state expires. */
  private @Nullable ExpiringContent expiring;

  ScopedStates(OperatorContext context) {
    this.context = context;
    this.states = context.states();
    this.keyContext = context.keyContext();
  }

  /** What is to be told of every call, for states that expire; null: there are none. */
  @Nullable ExpiringContent expiring() {
    return expiring;
  }

  /** How queries read what has been declared, expiring or not. */
  StateReaders readers() {
    return readers;
  }

  @Override
  public StateDeclarations expiring(TimeToLive timeToLive) {
    ExpiringContent content = expiring;
    if (content == null) {
      content = new ExpiringContent(context);
      expiring = content;
    }
    return new ExpiringStates(this, states, keyContext, content, readers, timeToLive);
  }

  /** What is restored has the names of now already. */
  @Override
  public StateDeclarations previously(String oldName) {
    return this;
  }

  @Override
  public <T> ValueState<T> value(String name, Serde<T> serde) {
    KeyedTable<T> table =
        states.table(StateDescriptor.of(name, serde).or(ExpiringStates.unstamped(serde)));
    readers.add(name, (key, hash, eventTimeMillis) -> table.read(key, hash));
    return new Value<>(table, keyContext);
  }

  @Override
  public LongState longValue(String name) {
    ColumnTable table =
        states.columns(ColumnsDescriptor.of(name, 1, LONG).or(ExpiringStates.unstampedLongs()));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          int at = table.seek(key, hash);
          return at < 0 ? null : table.columns()[at];
        });
    return new LongValue(table, keyContext);
  }

  @Override
  public <T> ListState<T> list(String name, Serde<T> elements) {
    KeyedTable<List<T>> table =
        states.table(
            StateDescriptor.of(name, Serdes.list(elements))
                .or(ExpiringStates.unstampedList(elements)));
    readers.add(
        name,
        (key, hash, eventTimeMillis) -> {
          List<T> present = table.read(key, hash);
          return present == null || present.isEmpty() ? null : present;
        });
    return new Elements<>(table, keyContext);
  }

  @Override
  public <F, T> MapState<F, T> map(String name, Serde<F> fields, Serde<T> values) {
    KeyedTable<Map<F, T>> table =
        states.table(
            StateDescriptor.of(name, Serdes.map(fields, values))
                .or(ExpiringStates.unstampedMap(fields, values)));
    readers.add(name, (key, hash, eventTimeMillis) -> table.read(key, hash));
    return new Fields<>(table, keyContext);
  }

  static Object keyOf(KeyContext keyContext) {
    Object key = keyContext.key;
    if (key == null) {
      throw new IllegalStateException(
          "state is scoped to a key: use it only while a record or timer is handled");
    }
    return key;
  }

  /** An entry of a table for the key in hand. */
  abstract static class Scoped<V> {
    private final KeyedTable<V> table;
    private final KeyContext keyContext;

    Scoped(KeyedTable<V> table, KeyContext keyContext) {
      this.table = table;
      this.keyContext = keyContext;
    }

    final @Nullable V entry() {
      return table.get(keyOf(keyContext), keyContext.hash);
    }

    /** The entry, which is not changed. */
    final @Nullable V seen() {
      return table.read(keyOf(keyContext), keyContext.hash);
    }

    final void put(V entry) {
      table.put(keyOf(keyContext), keyContext.hash, entry);
    }

    public final void clear() {
      table.remove(keyOf(keyContext), keyContext.hash);
    }
  }

  private static final class Value<T> extends Scoped<T> implements ValueState<T> {
    Value(KeyedTable<T> table, KeyContext keyContext) {
      super(table, keyContext);
    }

    @Override
    public @Nullable T get() {
      return entry();
    }

    @Override
    public void set(@Nullable T value) {
      if (value == null) {
        clear();
      } else {
        put(value);
      }
    }
  }

  private static final class LongValue implements LongState {
    private final ColumnTable table;
    private final KeyContext keyContext;

    LongValue(ColumnTable table, KeyContext keyContext) {
      this.table = table;
      this.keyContext = keyContext;
    }

    @Override
    public long get() {
      int at = table.seek(keyOf(keyContext), keyContext.hash);
      return at < 0 ? 0 : table.columns()[at];
    }

    @Override
    public void set(long value) {
      int at = table.locate(keyOf(keyContext), keyContext.hash);
      table.columns()[at] = value;
    }

    @Override
    public long add(long delta) {
      int at = table.locate(keyOf(keyContext), keyContext.hash);
      return table.columns()[at] += delta;
    }

    @Override
    public void clear() {
      table.remove(keyOf(keyContext), keyContext.hash);
    }
  }

  private static final class Elements<T> extends Scoped<List<T>> implements ListState<T> {
    Elements(KeyedTable<List<T>> table, KeyContext keyContext) {
      super(table, keyContext);
    }

    @Override
    public List<T> get() {
      List<T> elements = seen();
      return elements == null ? List.of() : Collections.unmodifiableList(elements);
    }

    @Override
    public void add(T element) {
      List<T> elements = entry();
      if (elements == null) {
        elements = new ArrayList<>();
        put(elements);
      }
      elements.add(element);
    }

    @Override
    public void set(List<T> elements) {
      put(new ArrayList<>(elements));
    }
  }

  private static final class Fields<F, T> extends Scoped<Map<F, T>> implements MapState<F, T> {
    Fields(KeyedTable<Map<F, T>> table, KeyContext keyContext) {
      super(table, keyContext);
    }

    @Override
    public @Nullable T get(F field) {
      Map<F, T> fields = seen();
      return fields == null ? null : fields.get(field);
    }

    @Override
    public void put(F field, T value) {
      Map<F, T> fields = entry();
      if (fields == null) {
        fields = new LinkedHashMap<>();
        put(fields);
      }
      fields.put(field, value);
    }

    @Override
    public void remove(F field) {
      Map<F, T> fields = entry();
      if (fields != null) {
        fields.remove(field);
        if (fields.isEmpty()) {
          clear();
        }
      }
    }

    @Override
    public Map<F, T> entries() {
      Map<F, T> fields = seen();
      return fields == null ? Map.of() : Collections.unmodifiableMap(fields);
    }
  }
}
