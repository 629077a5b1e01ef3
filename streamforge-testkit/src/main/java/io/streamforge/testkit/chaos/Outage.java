package io.streamforge.testkit.chaos;

import java.io.IOException;

/** A time in which a storage does not do what it is asked for. */
interface Outage {
  void begin() throws IOException;

  /** Does nothing when none has begun. */
  void end() throws IOException;

  /** What an error that comes of it contains. */
  String reason();
}
