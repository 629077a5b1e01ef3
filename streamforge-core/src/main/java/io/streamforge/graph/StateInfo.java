package io.streamforge.graph;

import io.streamforge.serde.Inferred;
import io.streamforge.state.TimeToLive;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state that a processor has declared.
 *
 * @param name its name, unique within the node
 * @param kind {@code value}, {@code long}, {@code list} or {@code map}
 * @param types types of what it holds, fields and values for a map; none for a long, and where a
 *     serde was given
 * @param form how all that it holds for a key is written, without the time it expires by; or why
 *     that cannot be
 * @param timeToLive when what it holds expires; null: never
 * @param previously the names that it had before
 */
public record StateInfo(
    String name,
    String kind,
    List<Type> types,
    Inferred form,
    @Nullable TimeToLive timeToLive,
    List<String> previously) {
  public StateInfo {
    types = List.copyOf(types);
    previously = List.copyOf(previously);
  }
}
