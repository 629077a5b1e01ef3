package io.streamforge.operator.join;

import io.streamforge.specialise.Specialised;
import java.util.ArrayList;
import java.util.List;

/** The sessions of one key that may still grow, in the order of time; they do not overlap. */
@Specialised
public final class JoinSessions {
  /** A session: its rows, and its bounds [start, end). */
  @Specialised
  public static final class JoinSession {
    /** Time of the first row. */
    public long startMillis;

    /** The gap after the last row. */
    public long endMillis;

    /** Its rows. */
    public final JoinRows rows;

    /** A session. */
    public JoinSession(long startMillis, long endMillis, JoinRows rows) {
      this.startMillis = startMillis;
      this.endMillis = endMillis;
      this.rows = rows;
    }
  }

  /** The sessions. */
  public final List<JoinSession> sessions = new ArrayList<>(1);

  /** No session that has been closed ends behind it, so none may reach before it. */
  public long boundMillis;

  /** None yet. */
  public JoinSessions(long boundMillis) {
    this.boundMillis = boundMillis;
  }

  /** Index of the first session that ends behind the instant. */
  public int firstEndingAfter(long millis) {
    int at = sessions.size();
    while (at > 0 && sessions.get(at - 1).endMillis > millis) {
      at--;
    }
    return at;
  }
}
