package io.streamforge.graph;

import java.lang.reflect.Type;
import java.util.List;

/**
 * A state that a processor has declared.
 *
 * @param name its name, unique within the node
 * @param kind {@code value}, {@code long}, {@code list} or {@code map}
 * @param types types of what it holds: none for a long, fields and values for a map
 */
public record StateInfo(String name, String kind, List<Type> types) {
  public StateInfo {
    types = List.copyOf(types);
  }
}
