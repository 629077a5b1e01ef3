package io.streamforge.node.cli;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.node.state.CheckpointAddress;
import io.streamforge.node.state.StoredCheckpoints;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** What the commands that look into checkpoints have in common. */
final class StateOptions {
  static final String DIR =
      "Where the checkpoints or the savepoint are: a directory, file:... or s3://bucket/prefix;"
          + " DIR@17 is checkpoint 17 of them.";

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      split = "[:;]",
      description = "Jars and directories with further kinds of storage than directories and S3.")
  private List<Path> classPath = new ArrayList<>();

  StoredCheckpoints open(CheckpointAddress address) throws IOException, UsageException {
    try {
      return StoredCheckpoints.open(address.location(), TopologyLoader.loader(classPath));
    } catch (LinkageError e) {
      throw new UsageException(
          "the storage of '"
              + address.location()
              + "' cannot be loaded: "
              + e
              + "; put its module on --class-path with all that it needs",
          e);
    }
  }

  /**
   * The checkpoint that was named, or the newest that can be used; what is passed over for that is
   * said on {@code err}.
   */
  static LogEntry.Published choose(
      StoredCheckpoints stored, CheckpointAddress address, PrintWriter err)
      throws IOException, UsageException {
    Long number = address.number();
    if (number != null) {
      return numbered(stored, number);
    }
    CheckpointHistory.Usable usable = stored.history().usable();
    LogEntry.Published checkpoint = usable.checkpoint();
    if (checkpoint == null) {
      throw new UsageException(
          "job '" + stored.job() + "' has no checkpoint in " + stored.location() + " yet");
    }
    for (CheckpointHistory.Skipped skipped : usable.skipped()) {
      err.println("passed over entry " + skipped.position() + " of the log: " + skipped.reason());
    }
    if (!usable.skipped().isEmpty()) {
      err.println("this is checkpoint " + checkpoint.number());
      err.flush();
    }
    return checkpoint;
  }

  static LogEntry.Published numbered(StoredCheckpoints stored, long number) throws UsageException {
    LogEntry.Published checkpoint = stored.numbered(number);
    if (checkpoint == null) {
      throw new UsageException(
          "there is no checkpoint "
              + number
              + " in "
              + stored.location()
              + "; there "
              + (stored.all().isEmpty()
                  ? "is none"
                  : "are "
                      + stored.all().stream()
                          .map(c -> String.valueOf(c.number()))
                          .collect(Collectors.joining(", "))));
    }
    return checkpoint;
  }
}
