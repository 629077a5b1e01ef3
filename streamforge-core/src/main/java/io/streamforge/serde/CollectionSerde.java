package io.streamforge.serde;

import java.util.Collection;
import java.util.function.Supplier;

/**
 * A collection, element by element in its own order. What comes back is of one class, whatever was
 * written.
 *
 * @param <C> the declared collection type
 */
class CollectionSerde<T, C extends Collection<T>> implements Serde<C> {
  private final String kind;
  private final Serde<T> elements;
  private final Supplier<? extends Collection<T>> empty;
  private final boolean ordered;

  /**
   * A serde of collections.
   *
   * @param kind such as {@code list}
   * @param ordered whether equal collections always have the same order
   * @param empty makes a collection that is a {@code C}
   */
  CollectionSerde(
      String kind, boolean ordered, Serde<T> elements, Supplier<? extends Collection<T>> empty) {
    this.kind = kind;
    this.elements = elements;
    this.empty = empty;
    this.ordered = ordered;
  }

  @Override
  public void write(C value, ByteWriter output) {
    NaturalOrder.check(value);
    Elements.write(value.size(), inStoredOrder(value), elements, output);
  }

  /** The elements in the order in which they are written. */
  Collection<T> inStoredOrder(C value) {
    return value;
  }

  @Override
  @SuppressWarnings("unchecked")
  public C read(ByteReader input) {
    Collection<T> collection = empty.get();
    Elements.read(collection, elements, input);
    return (C) collection;
  }

  @Override
  public boolean deterministic() {
    return ordered && elements.deterministic();
  }

  @Override
  public String name() {
    return kind + "<" + elements.name() + ">";
  }

  @Override
  public String toString() {
    return name();
  }
}
