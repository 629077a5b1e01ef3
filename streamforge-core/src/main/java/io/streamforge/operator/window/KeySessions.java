package io.streamforge.operator.window;

import io.streamforge.record.Timestamps;
import java.util.ArrayList;
import java.util.List;

/** The sessions of one key that are open or kept, in the order of time; they do not overlap. */
public final class KeySessions {
  /** The sessions. */
  public final List<Session> sessions = new ArrayList<>(1);

  /**
   * End of the last session that was emitted and dropped; {@link Timestamps#MIN}: none is known.
   */
  public long droppedEndMillis = Timestamps.MIN;

  /** None yet. */
  public KeySessions() {}

  /** Index of the first session that ends behind the instant. */
  public int firstEndingAfter(long millis) {
    int low = 0;
    int high = sessions.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sessions.get(middle).endMillis > millis) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Whether nothing is known of the key. */
  public boolean isEmpty() {
    return sessions.isEmpty() && droppedEndMillis == Timestamps.MIN;
  }
}
