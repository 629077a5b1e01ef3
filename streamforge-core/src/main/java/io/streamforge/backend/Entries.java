package io.streamforge.backend;

/**
 * The common form of keyed state in checkpoints: entries one after the other, each a tag, the key
 * and, behind {@link #PUT}, the value. Later entries of a key replace earlier ones. Keys and values
 * are {@linkplain io.streamforge.serde.Serdes#delimited(io.streamforge.serde.Serde) delimited};
 * longs have eight bytes.
 */
public final class Entries {
  /** Name of the form. */
  public static final String FORM = "entries";

  /** The key has this value. */
  public static final int PUT = 1;

  /** The key has no value. */
  public static final int REMOVED = 2;

  private Entries() {}
}
