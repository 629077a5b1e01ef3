package io.streamforge.node.cli;

import io.streamforge.error.ErrorCategory;
import io.streamforge.error.StreamForgeException;
import io.streamforge.scheduler.SystemClock;
import io.streamforge.time.Clock;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code streamforge}. Exit codes: 0 done, 1 the job has failed or a checkpoint is
 * damaged, 2 wrong usage, topology or settings, 130 or 143 stopped by a signal.
 */
@Command(
    name = "streamforge",
    mixinStandardHelpOptions = true,
    versionProvider = Versions.class,
    description = "Runs and explains StreamForge topologies, and looks into their checkpoints.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the job has failed, a checkpoint is damaged or cannot be read",
      "2:wrong usage, topology or settings",
      "130, 143:stopped by SIGINT or SIGTERM"
    },
    subcommands = {
      RunCommand.class,
      ExplainCommand.class,
      StateCommand.class,
      VersionCommand.class,
      CommandLine.HelpCommand.class,
      CompletionCommand.class
    })
public final class StreamForgeCommand implements Runnable {
  static final int FAILED = 1;
  static final int WRONG_USAGE = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--stacktrace",
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show the stack trace of an error.")
  private boolean stacktrace;

  private final Clock clock;

  /** With the time of the machine. */
  public StreamForgeCommand() {
    this(new SystemClock());
  }

  private StreamForgeCommand(Clock clock) {
    this.clock = clock;
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    System.exit(execute(args));
  }

  static int execute(String... args) {
    StreamForgeCommand command = new StreamForgeCommand();
    return command.execute(new CommandLine(command), args);
  }

  /** In this process, with a clock of its own, and output to these. */
  static int execute(Clock clock, PrintWriter out, PrintWriter err, String... args) {
    StreamForgeCommand command = new StreamForgeCommand(clock);
    return command.execute(new CommandLine(command).setOut(out).setErr(err), args);
  }

  private int execute(CommandLine line, String... args) {
    line.setExecutionExceptionHandler((e, l, parsed) -> report(e, l));
    return line.execute(args);
  }

  private int report(Exception e, CommandLine line) {
    line.getErr().println(line.getColorScheme().errorText("error: " + message(e)));
    if (stacktrace) {
      e.printStackTrace(line.getErr());
    }
    line.getErr().flush();
    if (e instanceof UsageException) {
      return WRONG_USAGE;
    }
    return e instanceof StreamForgeException known
            && known.code().category() == ErrorCategory.USER
            && known.context().task() == null
        ? WRONG_USAGE
        : FAILED;
  }

  Clock clock() {
    return clock;
  }

  private static String message(Exception e) {
    return e instanceof StreamForgeException || e instanceof UsageException
        ? String.valueOf(e.getMessage())
        : e.toString();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: run, explain, state, version, help or completion");
  }
}
