package io.streamforge.formats.csv;

import io.streamforge.connector.file.Framing;

/** Finds line feeds that are not in a quoted field. */
final class CsvFraming implements Framing {
  /*
   * Hot path: looks at every byte. A quote has a meaning only at the start of a field and within a
   * quoted one; that is also how the parser sees it. Bytes of UTF-8 beyond ASCII equal none of the
   * characters that count here.
   */
  private static final int FIELD_START = 0;
  private static final int PLAIN = 1;
  private static final int QUOTED = 2;

  /** In a quoted field behind a quote, which closes it unless another one follows. */
  private static final int QUOTE_IN_QUOTED = 3;

  private final byte separator;
  private final byte quote;
  private int state;
  private int innerLines;

  CsvFraming(CsvDialect dialect) {
    this.separator = (byte) dialect.separator();
    this.quote = (byte) dialect.quote();
  }

  @Override
  public void begin() {
    state = FIELD_START;
    innerLines = 0;
  }

  @Override
  public int end(byte[] bytes, int from, int to) {
    int now = state;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (now == QUOTED) {
        if (b == quote) {
          now = QUOTE_IN_QUOTED;
        } else if (b == '\n') {
          innerLines++;
        }
      } else if (b == '\n') {
        state = now;
        return i;
      } else if (b == separator) {
        now = FIELD_START;
      } else if (b == quote && now != PLAIN) {
        now = QUOTED;
      } else {
        now = PLAIN;
      }
    }
    state = now;
    return -1;
  }

  @Override
  public int innerLines() {
    return innerLines;
  }

  @Override
  public boolean open() {
    return state == QUOTED;
  }
}
