package io.streamforge.serde;

import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    this.elements = FramedSerde.part(elements);
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
  public C read(ByteReader input) {
    return read(elements, null, input);
  }

  /** Reads with another reader of elements; see {@link Elements#read}. */
  @SuppressWarnings("unchecked")
  C read(
      ValueReader<? extends T> reader, @Nullable Supplier<? extends T> ofNull, ByteReader input) {
    Collection<T> collection = empty.get();
    Elements.read(collection, reader, ofNull, input);
    return (C) collection;
  }

  String kind() {
    return kind;
  }

  Serde<T> elements() {
    return elements;
  }

  @Override
  public Schema.Sequence schema() {
    return new Schema.Sequence(kind, elements.schema());
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
