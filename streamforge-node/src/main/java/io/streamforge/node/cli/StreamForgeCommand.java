package io.streamforge.node.cli;

import io.streamforge.error.ErrorCategory;
import io.streamforge.error.StreamForgeException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code streamforge}. Exit codes: 0 done, 1 the job has failed, 2 wrong usage,
 * topology or settings, 130 or 143 stopped by a signal.
 */
@Command(
    name = "streamforge",
    mixinStandardHelpOptions = true,
    versionProvider = Versions.class,
    description = "Runs and explains StreamForge topologies.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done",
      "1:the job has failed",
      "2:wrong usage, topology or settings",
      "130, 143:stopped by SIGINT or SIGTERM"
    },
    subcommands = {
      RunCommand.class,
      ExplainCommand.class,
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

  /** Runs the command and exits with its code. */
  public static void main(String[] args) {
    System.exit(execute(args));
  }

  static int execute(String... args) {
    StreamForgeCommand command = new StreamForgeCommand();
    CommandLine line = new CommandLine(command);
    line.setExecutionExceptionHandler((e, l, parsed) -> command.report(e, l));
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

  private static String message(Exception e) {
    return e instanceof StreamForgeException || e instanceof UsageException
        ? String.valueOf(e.getMessage())
        : e.toString();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: run, explain, version, help or completion");
  }
}
