package io.streamforge.node.cli;

import io.streamforge.time.Clock;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The command in this process, at a time that the test chooses. */
final class StateCli {
  private StateCli() {}

  static Cli.Result run(long wallMillis, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Clock clock =
        new Clock() {
          private long nanos;

          @Override
          public long wallMillis() {
            return wallMillis;
          }

          @Override
          public long monotonicNanos() {
            return nanos += 600_000_000;
          }
        };
    int code =
        StreamForgeCommand.execute(clock, new PrintWriter(out), new PrintWriter(err), arguments);
    return new Cli.Result(code, out.toString(), err.toString());
  }

  static Cli.Result run(String... arguments) {
    return run(0, arguments);
  }
}
