package io.streamforge.node.cli;

import io.streamforge.checkpoint.DamagedObjectException;
import io.streamforge.node.state.CheckpointAddress;
import io.streamforge.node.state.StoredCheckpoints;
import io.streamforge.node.state.Verification;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** {@code streamforge state verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Reads the log and every object that a retained checkpoint needs, checks all checksums, and"
          + " names what is damaged or missing.",
      "Ends with 1 when something is."
    })
final class StateVerifyCommand implements Callable<Integer> {
  private static final long PROGRESS_PERIOD_NANOS = 1_000_000_000;

  @Parameters(index = "0", paramLabel = "DIR[@N]", description = StateOptions.DIR)
  private String address = "";

  @Mixin private StateOptions options = new StateOptions();

  @Option(names = "--json", description = "As one JSON object.")
  private boolean json;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Show progress on stderr once a second; default: at a terminal.")
  private @Nullable Boolean progress;

  @ParentCommand private StateCommand state = new StateCommand();

  @Spec private CommandSpec spec = CommandSpec.create();

  private long shownNanos;

  @Override
  public Integer call() throws Exception {
    Verification.Report report = report();
    PrintWriter out = spec.commandLine().getOut();
    out.print(
        json
            ? JsonMapper.shared().writeValueAsString(report) + System.lineSeparator()
            : text(report));
    out.flush();
    return report.damages().isEmpty() ? 0 : StreamForgeCommand.FAILED;
  }

  private Verification.Report report() throws Exception {
    CheckpointAddress parsed = CheckpointAddress.parse(address);
    boolean show = progress != null ? progress : System.console() != null;
    shownNanos = state.clock().monotonicNanos();
    try (StoredCheckpoints stored = options.open(parsed)) {
      Long only = parsed.number();
      if (only != null) {
        StateOptions.numbered(stored, only);
      }
      return Verification.run(stored, only, show ? this::show : (o, of, b, ofBytes) -> {});
    } catch (DamagedObjectException e) {
      // Says whose place it is: without it nothing else can be told.
      return new Verification.Report(
          0,
          List.of(),
          0,
          0,
          0,
          List.of(new Verification.Damage(e.object(), e.summary(), List.of())));
    }
  }

  private void show(int objects, int ofObjects, long bytes, long ofBytes) {
    long now = state.clock().monotonicNanos();
    if (now - shownNanos >= PROGRESS_PERIOD_NANOS) {
      shownNanos = now;
      PrintWriter err = spec.commandLine().getErr();
      err.printf(
          "%,d of %s read, %s of %s%n",
          objects,
          Units.count(ofObjects, "object", "objects"),
          Units.size(bytes),
          Units.size(ofBytes));
      err.flush();
    }
  }

  private static String text(Verification.Report report) {
    StringBuilder text = new StringBuilder();
    for (Verification.Damage damage : report.damages()) {
      text.append("damaged: ").append(damage.what()).append(System.lineSeparator());
      if (!damage.checkpoints().isEmpty()) {
        text.append(
            String.format(
                "    needed by checkpoint %s%n",
                damage.checkpoints().stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "))));
      }
    }
    text.append(
        String.format(
            "%s of the log, %s, %s of %s: ",
            Units.count(report.entries(), "entry", "entries"),
            Units.count(report.checkpoints().size(), "checkpoint", "checkpoints"),
            Units.count(report.objects(), "object", "objects"),
            Units.size(report.bytes())));
    text.append(
        report.damages().isEmpty()
            ? "no damage"
            : Units.count(report.damages().size(), "damage", "damages"));
    if (report.unneeded() > 0) {
      text.append("; ").append(Units.count(report.unneeded(), "object that no", "objects that no"));
      text.append(" checkpoint needs");
    }
    return text.append(System.lineSeparator()).toString();
  }
}
