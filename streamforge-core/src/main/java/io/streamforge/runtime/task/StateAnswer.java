package io.streamforge.runtime.task;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.Serde;
import org.jspecify.annotations.Nullable;

/** What a state held for a key when its task was asked; shares nothing with that state. */
public final class StateAnswer {
  private final @Nullable Object whole;
  private final @Nullable Serde<Object> form;
  private final byte[] bytes;

  private StateAnswer(@Nullable Object whole, @Nullable Serde<Object> form, byte[] bytes) {
    this.whole = whole;
    this.form = form;
    this.bytes = bytes;
  }

  /**
   * An object that nobody changes, or null.
   *
   * @param whole what an aggregator has given as its result and no serde is known for: new or
   *     immutable, as what is emitted
   */
  static StateAnswer whole(@Nullable Object whole) {
    return new StateAnswer(whole, null, new byte[0]);
  }

  /** A value as its serde has written it. */
  static StateAnswer written(Serde<Object> form, byte[] bytes) {
    return new StateAnswer(null, form, bytes);
  }

  /** The value, each time a copy of its own; null when the state held nothing. */
  public @Nullable Object value() {
    return form == null ? whole : form.read(new ByteReader(bytes));
  }
}
