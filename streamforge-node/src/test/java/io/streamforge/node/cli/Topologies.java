package io.streamforge.node.cli;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.source.SourceOptions;
import java.nio.file.Path;
import java.util.List;

/** Classes that the command is told to run. */
final class Topologies {
  private Topologies() {}

  /** Prints its arguments. */
  public static final class Echo {
    private Echo() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      return Topology.builder("echo")
          .source("arguments", Sources.values(List.of(args)))
          .mapValues("quote", argument -> "<" + argument + ">")
          .sink("output", Sinks.stdout())
          .build();
    }
  }

  /** Adds up its arguments, and fails when one is not a number. */
  public static final class Numbers {
    private Numbers() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      return Topology.builder("numbers")
          .source("arguments", Sources.values(List.of(args)))
          .mapValues("parse", Long::parseLong)
          .groupBy("one", (key, number) -> "sum")
          .sum("total", number -> number)
          .sink("output", Sinks.stdout())
          .build();
    }
  }

  /** Numbers without an end: as fast as possible to stdout, or slowly to a directory as well. */
  public static final class Endless {
    private Endless() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      var generator = Sources.generator((index, random) -> "line " + index).splits(1);
      Stream<Void, String> lines =
          Topology.builder("endless")
              .source("generator", args.length == 0 ? generator : generator.ratePerSecond(1_000));
      if (args.length > 0) {
        lines.sink("files", Sinks.lines(Path.of(args[0])));
      }
      return lines.sink("output", Sinks.stdout()).build();
    }
  }

  /**
   * Counts the lines of a file by their first word, at so many a second, into files. Arguments:
   * file, directory, records a second.
   */
  public static final class Words {
    private Words() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      return Topology.builder("words")
          .source(
              "lines",
              Sources.lines(Path.of(args[0])),
              SourceOptions.<Void, String>defaults().maxRate(Double.parseDouble(args[2])))
          .groupBy("by-word", (key, line) -> line)
          .count("count")
          .sink("files", Sinks.lines(Path.of(args[1])))
          .build();
    }
  }

  /** Throws when it gets arguments. */
  public static final class Throwing {
    private Throwing() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      if (args.length > 0) {
        throw new IllegalStateException("no " + args.length + " arguments");
      }
      return Echo.topology(args);
    }
  }

  /** Says which arguments it wants. */
  public static final class Particular {
    private Particular() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      if (args.length == 0) {
        throw new IllegalArgumentException("expected 1 argument, got 0\nUsage: Particular WORD");
      }
      // Its message says nothing without the name of its class.
      return Echo.topology(new String[] {String.valueOf(Integer.parseInt(args[0]))});
    }
  }

  /** Has two problems. */
  public static final class Invalid {
    private Invalid() {}

    /** The topology. */
    public static Topology topology(String[] args) {
      return Topology.builder("invalid")
          .source("in put", Sources.values("a"))
          .filter("out put", (key, value) -> true)
          .sink("output", Sinks.none())
          .build();
    }
  }

  /** Has no topology method. */
  public static final class Nothing {
    private Nothing() {}
  }

  /** Its topology method is not static. */
  public static final class NotStatic {
    /** Not what is looked for. */
    public Topology topology(String[] args) {
      return Echo.topology(args);
    }
  }

  /** Returns null. */
  public static final class Null {
    private Null() {}

    /** Nothing. */
    public static Topology topology(String[] args) {
      return null;
    }
  }
}
