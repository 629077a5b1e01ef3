package io.streamforge.graph;

import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorSupplier;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an instance of a processor, made only to be asked, tells: its class, its state, or why it
 * could not be made.
 */
final class ProcessorProbe {
  private final @Nullable Class<?> type;
  private final List<StateInfo> states;
  private final @Nullable String failure;

  private ProcessorProbe(
      @Nullable Class<?> type, List<StateInfo> states, @Nullable String failure) {
    this.type = type;
    this.states = List.copyOf(states);
    this.failure = failure;
  }

  /** Asks an instance of its own. */
  static ProcessorProbe of(ProcessorSupplier<?, ?, ?, ?> supplier) {
    Processor<?, ?, ?, ?> processor;
    try {
      processor = supplier.get();
      if (processor == null) {
        return new ProcessorProbe(null, List.of(), "has a supplier that returned null");
      }
      if (supplier.get() == processor) {
        return new ProcessorProbe(
            processor.getClass(),
            List.of(),
            "has a supplier that returned the same processor twice");
      }
    } catch (Exception | LinkageError | AssertionError e) {
      return new ProcessorProbe(null, List.of(), "has a supplier that failed: " + e);
    }
    Recorder recorder = new Recorder(new ArrayList<>(), null, List.of());
    try {
      processor.states(recorder);
    } catch (Exception | LinkageError | AssertionError e) {
      return new ProcessorProbe(
          processor.getClass(), recorder.states, "has a processor whose states(...) failed: " + e);
    }
    return new ProcessorProbe(processor.getClass(), recorder.states, null);
  }

  /** Class of the processor; null when there is no instance. */
  @Nullable Class<?> type() {
    return type;
  }

  /** What it has declared, in its order, with whatever names. */
  List<StateInfo> states() {
    return states;
  }

  /** Why the instance could not be asked, as a clause; null when it could. */
  @Nullable String failure() {
    return failure;
  }

  /** What to do about the failure. */
  String remedy() {
    return failure != null && failure.contains("states(...)")
        ? "let states(...) only declare state and keep the handles; open() is for the rest"
        : "make a new processor at each call, as with MyProcessor::new";
  }

  /** Notes what is declared; the handles it gives refuse every use. */
  private static final class Recorder implements StateDeclarations {
    private final List<StateInfo> states;
    private final @Nullable TimeToLive timeToLive;
    private final List<String> previously;

    Recorder(List<StateInfo> states, @Nullable TimeToLive timeToLive, List<String> previously) {
      this.states = states;
      this.timeToLive = timeToLive;
      this.previously = previously;
    }

    @Override
    public StateDeclarations expiring(TimeToLive newTimeToLive) {
      return new Recorder(states, Objects.requireNonNull(newTimeToLive, "timeToLive"), previously);
    }

    @Override
    public StateDeclarations previously(String oldName) {
      List<String> all = new ArrayList<>(previously);
      all.add(Objects.requireNonNull(oldName, "oldName"));
      return new Recorder(states, timeToLive, all);
    }

    @Override
    public <T> ValueState<T> value(String name, Class<T> type) {
      return declare(name, "value", List.of(type), Serdes.infer(type), ValueState.class);
    }

    @Override
    public <T> ValueState<T> value(String name, Serde<T> serde) {
      return declare(name, "value", List.of(), new Inferred.Found(serde), ValueState.class);
    }

    @Override
    public LongState longValue(String name) {
      return declare(name, "long", List.of(), new Inferred.Found(Serdes.longs()), LongState.class);
    }

    @Override
    public <T> ListState<T> list(String name, Class<T> elementType) {
      return list(name, List.of(elementType), Serdes.infer(elementType));
    }

    @Override
    public <T> ListState<T> list(String name, Serde<T> elements) {
      return list(name, List.of(), new Inferred.Found(elements));
    }

    private <T> ListState<T> list(String name, List<? extends Type> types, Inferred elements) {
      Inferred form =
          elements instanceof Inferred.Found found
              ? new Inferred.Found(Serdes.list(found.serde()))
              : elements;
      return declare(name, "list", types, form, ListState.class);
    }

    @Override
    public <F, T> MapState<F, T> map(String name, Serde<F> fields, Serde<T> values) {
      return map(name, List.of(), new Inferred.Found(fields), new Inferred.Found(values));
    }

    @Override
    public <F, T> MapState<F, T> map(String name, Class<F> fieldType, Class<T> valueType) {
      return map(
          name, List.of(fieldType, valueType), Serdes.infer(fieldType), Serdes.infer(valueType));
    }

    private <F, T> MapState<F, T> map(
        String name, List<? extends Type> types, Inferred fields, Inferred values) {
      Inferred form;
      if (fields instanceof Inferred.Found f && values instanceof Inferred.Found v) {
        form = new Inferred.Found(Serdes.map(f.serde(), v.serde()));
      } else {
        form = fields instanceof Inferred.Missing ? fields : values;
      }
      return declare(name, "map", types, form, MapState.class);
    }

    @SuppressWarnings("unchecked") // a handle that is never used may have any type argument
    private <S> S declare(
        String name, String kind, List<? extends Type> types, Inferred form, Class<?> handle) {
      states.add(new StateInfo(name, kind, List.copyOf(types), form, timeToLive, previously));
      return (S)
          Proxy.newProxyInstance(
              handle.getClassLoader(),
              new Class<?>[] {handle},
              (proxy, method, arguments) -> {
                if (method.getDeclaringClass() == Object.class) {
                  return switch (method.getName()) {
                    case "hashCode" -> name.hashCode();
                    case "equals" -> proxy == arguments[0];
                    default -> "state '" + name + "'";
                  };
                }
                throw new IllegalStateException(
                    "state '" + name + "' is used while it is being declared");
              });
    }
  }
}
