package io.streamforge.operator;

import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
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
  private final KeyedStates states;
  private final KeyContext keyContext;

  ScopedStates(KeyedStates states, KeyContext keyContext) {
    this.states = states;
    this.keyContext = keyContext;
  }

  @Override
  public <T> ValueState<T> value(String name, Class<T> type) {
    return new Value<>(states.table(name), keyContext);
  }

  @Override
  public LongState longValue(String name) {
    return new LongValue(states.table(name), keyContext);
  }

  @Override
  public <T> ListState<T> list(String name, Class<T> elementType) {
    return new Elements<>(states.table(name), keyContext);
  }

  @Override
  public <F, T> MapState<F, T> map(String name, Class<F> fieldType, Class<T> valueType) {
    return new Fields<>(states.table(name), keyContext);
  }

  /** An entry of a table for the key in hand. */
  private abstract static class Scoped<V> {
    private final KeyedTable<V> table;
    private final KeyContext keyContext;

    Scoped(KeyedTable<V> table, KeyContext keyContext) {
      this.table = table;
      this.keyContext = keyContext;
    }

    private Object key() {
      Object key = keyContext.key;
      if (key == null) {
        throw new IllegalStateException(
            "state is scoped to a key: use it only while a record or timer is handled");
      }
      return key;
    }

    final @Nullable V entry() {
      return table.get(key(), keyContext.hash);
    }

    final void put(V entry) {
      table.put(key(), keyContext.hash, entry);
    }

    public final void clear() {
      table.remove(key(), keyContext.hash);
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

  private static final class LongValue extends Scoped<long[]> implements LongState {
    LongValue(KeyedTable<long[]> table, KeyContext keyContext) {
      super(table, keyContext);
    }

    @Override
    public long get() {
      long[] cell = entry();
      return cell == null ? 0 : cell[0];
    }

    @Override
    public void set(long value) {
      long[] cell = entry();
      if (cell == null) {
        put(new long[] {value});
      } else {
        cell[0] = value;
      }
    }

    @Override
    public long add(long delta) {
      long[] cell = entry();
      if (cell == null) {
        put(new long[] {delta});
        return delta;
      }
      return cell[0] += delta;
    }
  }

  private static final class Elements<T> extends Scoped<List<T>> implements ListState<T> {
    Elements(KeyedTable<List<T>> table, KeyContext keyContext) {
      super(table, keyContext);
    }

    @Override
    public List<T> get() {
      List<T> elements = entry();
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
      Map<F, T> fields = entry();
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
      Map<F, T> fields = entry();
      return fields == null ? Map.of() : Collections.unmodifiableMap(fields);
    }
  }
}
