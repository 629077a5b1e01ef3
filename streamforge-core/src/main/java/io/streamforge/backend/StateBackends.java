package io.streamforge.backend;

import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.specialise.NodeClasses;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The kinds of backends that there are. Immutable. */
public final class StateBackends {
  private static final String MEMORY = "memory";

  /** By name, the one in memory first. */
  private final Map<String, StateBackendProvider> kinds;

  private StateBackends(Map<String, StateBackendProvider> kinds) {
    this.kinds = kinds;
  }

  /** The one in memory, and those that {@code loader} finds. */
  public static StateBackends load(ClassLoader loader) {
    Map<String, StateBackendProvider> found = new TreeMap<>();
    for (StateBackendProvider provider : ServiceLoader.load(StateBackendProvider.class, loader)) {
      provider.names().forEach(name -> found.put(name, provider));
    }
    Map<String, StateBackendProvider> kinds = new LinkedHashMap<>(Map.of(MEMORY, new Memory()));
    found.forEach(kinds::putIfAbsent);
    return new StateBackends(kinds);
  }

  /**
   * Checks that there are such backends.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} that lists those that there are
   */
  public void check(Collection<String> names) {
    for (String name : names) {
      if (!kinds.containsKey(name)) {
        throw new StreamForgeException(
            ErrorCode.CONFIG_INVALID,
            ErrorContext.NONE,
            "there is no state backend '"
                + name
                + "' here, only "
                + String.join(", ", kinds.keySet()),
            "Choose one of these, or add the module that brings the backend: 'rocksdb' comes with"
                + " streamforge-rocksdb.",
            null);
      }
    }
  }

  /**
   * One backend that gives each node's state to the backend of that node.
   *
   * @param backendOf name of the backend of a node
   * @param names all of them, which are opened now; {@linkplain #check checked} before
   * @throws StreamForgeException when one cannot be opened
   */
  public KeyedStateBackend open(
      Function<String, String> backendOf,
      Collection<String> names,
      StateBackendProvider.Place place) {
    Map<StateBackendProvider, KeyedStateBackend> opened = new LinkedHashMap<>();
    Map<String, KeyedStateBackend> byName = new HashMap<>();
    Routed routed = new Routed(backendOf, byName, opened.values());
    try {
      for (String name : names) {
        StateBackendProvider kind = kinds.get(name);
        if (kind == null) {
          throw new IllegalArgumentException("there is no backend '" + name + "'");
        }
        byName.put(name, opened.computeIfAbsent(kind, k -> k.open(place)));
      }
    } catch (Throwable e) {
      routed.close();
      throw e;
    }
    return routed;
  }

  /** The one that is always there. */
  private static final class Memory implements StateBackendProvider {
    @Override
    public Set<String> names() {
      return Set.of(MEMORY);
    }

    @Override
    public KeyedStateBackend open(Place place) {
      return new MemoryBackend();
    }
  }

  private record Routed(
      Function<String, String> backendOf,
      Map<String, KeyedStateBackend> byName,
      Collection<KeyedStateBackend> opened)
      implements KeyedStateBackend {
    @Override
    public TaskStates open(NodeClasses classes, Opening opening) {
      String name = backendOf.apply(opening.node());
      KeyedStateBackend backend = byName.get(name);
      if (backend == null) {
        throw new IllegalStateException("backend '" + name + "' has not been opened");
      }
      return backend.open(classes, opening);
    }

    @Override
    public void close() {
      opened.forEach(KeyedStateBackend::close);
    }
  }
}
