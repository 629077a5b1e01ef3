package io.streamforge.operator.window;

import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.List;

/** A session of one key. */
@Specialised
public final class Session {
  /** No timer. */
  public static final long UNARMED = Long.MAX_VALUE;

  /** First instant. */
  public long startMillis;

  /** End, exclusive: the gap after the last record. */
  public long endMillis;

  /** Its records. */
  public final Pane pane;

  /** Whether the watermark has reached its end. */
  public boolean closed;

  /** The time of its timer, which is never behind the time when something is to be done. */
  public long armedMillis = UNARMED;

  /** Windows of results that were emitted and not taken back; the session contains them all. */
  public final List<Window> shown = new ArrayList<>(1);

  /** A session of one record. */
  public Session(long startMillis, long endMillis, Pane pane) {
    this.startMillis = startMillis;
    this.endMillis = endMillis;
    this.pane = pane;
  }

  /** Its bounds at present. */
  public Window window() {
    return new Window(startMillis, endMillis);
  }
}
