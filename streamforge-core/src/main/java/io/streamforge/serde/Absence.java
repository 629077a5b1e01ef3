package io.streamforge.serde;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a member is when the stored bytes have nothing for it.
 *
 * @param kind how that is known
 * @param value makes the value; called only when the kind is not {@link Kind#NONE}
 */
record Absence(Kind kind, Supplier<? extends @Nullable Object> value) {
  /** How it is known. */
  enum Kind {
    /** It is not. */
    NONE,
    /** Declared with {@link Default}. */
    DEFAULT,
    /** It is an optional. */
    EMPTY,
    /** Declared to be nullable. */
    NULL,
    /** What the constructor of a plain class sets. */
    CONSTRUCTED
  }

  private static final Absence NONE = new Absence(Kind.NONE, () -> null);
  private static final Absence EMPTY = new Absence(Kind.EMPTY, Optional::empty);
  private static final Absence NULL = new Absence(Kind.NULL, () -> null);
  private static final Absence CONSTRUCTED =
      new Absence(Kind.CONSTRUCTED, () -> Shape.AS_CONSTRUCTED);

  /**
   * The absence of a member.
   *
   * @param constructed whether a constructor sets it first
   * @throws IllegalArgumentException when the default is not a value of its type
   */
  static Absence of(Member member, Serde<?> serde, boolean constructed) {
    Default declared = member.element().getAnnotation(Default.class);
    if (declared != null) {
      return new Absence(Kind.DEFAULT, Defaults.of(declared.value(), serde));
    }
    if (serde instanceof OptionalSerde<?>) {
      return EMPTY;
    }
    if (constructed) {
      return CONSTRUCTED;
    }
    return member.saysNullable() ? NULL : NONE;
  }

  /** Whether a missing member is this. */
  boolean known() {
    return kind != Kind.NONE;
  }
}
