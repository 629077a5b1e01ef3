package io.streamforge.serde;

/** What {@link Serdes#infer} found out about a type. */
public sealed interface Inferred {
  /**
   * There is a serde.
   *
   * @param serde of the type that was asked for
   */
  record Found(Serde<?> serde) implements Inferred {}

  /**
   * There is none.
   *
   * @param reason one clause that names the type, such as {@code java.lang.Object says too little}
   */
  record Missing(String reason) implements Inferred {}
}
