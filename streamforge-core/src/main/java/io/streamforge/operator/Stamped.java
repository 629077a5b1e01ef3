package io.streamforge.operator;

import io.streamforge.specialise.Specialised;

/** A value, and the time by which it expires. Changed in place. */
@Specialised
class Stamped<T> {
  T value;
  long stampMillis;

  Stamped(T value, long stampMillis) {
    this.value = value;
    this.stampMillis = stampMillis;
  }

  /** Stamps never go back. */
  final void renew(long millis) {
    stampMillis = Math.max(stampMillis, millis);
  }
}
