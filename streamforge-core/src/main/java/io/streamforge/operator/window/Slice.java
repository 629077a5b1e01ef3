package io.streamforge.operator.window;

import io.streamforge.operator.Accumulation;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;

/** A slice in which there are records. */
@Specialised
final class Slice {
  final Window window;

  /** The first window that contains it. */
  final Window first;

  /** The last window that contains it. */
  final Window last;

  /** The watermark from which on no window needs it. */
  final long expiry;

  final Accumulation.Table table;

  Slice(Window window, Window first, Window last, long expiry, Accumulation.Table table) {
    this.window = window;
    this.first = first;
    this.last = last;
    this.expiry = expiry;
    this.table = table;
  }
}
