package io.streamforge.operator.window;

import io.streamforge.specialise.Specialised;
import java.util.ArrayList;
import java.util.List;

/** The sessions of one key that are open or kept, in the order of time; they do not overlap. */
@Specialised
public final class KeySessions {
  /** The sessions. */
  public final List<Session> sessions = new ArrayList<>(1);

  /**
   * No session that was emitted and dropped ends behind it, so none may reach before it: the end of
   * the last one, or what is known of those that were forgotten.
   */
  public long boundMillis;

  /** None yet. */
  public KeySessions(long boundMillis) {
    this.boundMillis = boundMillis;
  }

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
}
