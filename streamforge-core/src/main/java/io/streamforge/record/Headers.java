package io.streamforge.record;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names and byte values that travel with a record, in order; a name may occur more than once.
 * Immutable. A record without headers carries {@code null} instead of an empty instance.
 */
public final class Headers {
  /** One name and its value. The array is not copied: it must not be changed. */
  public record Header(String name, byte[] value) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Header h && name.equals(h.name) && Arrays.equals(value, h.value);
    }

    @Override
    public int hashCode() {
      return 31 * name.hashCode() + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return name + "=" + new String(value, StandardCharsets.UTF_8);
    }
  }

  private final List<Header> entries;

  private Headers(List<Header> entries) {
    this.entries = Collections.unmodifiableList(entries);
  }

  /** One header with a UTF-8 value. */
  public static Headers of(String name, String value) {
    return of(name, value.getBytes(StandardCharsets.UTF_8));
  }

  /** One header. */
  public static Headers of(String name, byte[] value) {
    return new Headers(List.of(new Header(name, value)));
  }

  /** These entries in this order. */
  public static Headers of(List<Header> entries) {
    return new Headers(new ArrayList<>(entries));
  }

  /** A copy with one more header at the end. */
  public Headers with(String name, byte[] value) {
    List<Header> more = new ArrayList<>(entries);
    more.add(new Header(name, value));
    return new Headers(more);
  }

  /** All entries in order; unmodifiable. */
  public List<Header> entries() {
    return entries;
  }

  /** The value of the last header with this name, or {@code null}. */
  public byte @Nullable [] last(String name) {
    for (int i = entries.size() - 1; i >= 0; i--) {
      if (entries.get(i).name().equals(name)) {
        return entries.get(i).value();
      }
    }
    return null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Headers h && entries.equals(h.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
