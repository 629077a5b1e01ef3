package io.streamforge.serde;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * Names a generic type: {@code new TypeRef<List<String>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T> {
  private final Type type;

  /** Reads {@code T} from the subclass. */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
      throw new IllegalArgumentException(
          "TypeRef needs a type argument: new TypeRef<List<String>>() {}");
    }
    this.type = parameterized.getActualTypeArguments()[0];
  }

  /** The type. */
  public final Type type() {
    return type;
  }
}
