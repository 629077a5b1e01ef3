package io.streamforge.testkit.cases;

import io.streamforge.function.Aggregator;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.operator.window.WindowOperators;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.window.Trigger;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;

/** Runs a script of records and watermarks against window operators in all legal ways. */
final class WindowScripts {
  static final String LATE = "late";
  private static final KeyKind<String> KEYS = KeyKinds.of(Serdes.string());

  private WindowScripts() {}

  /** Records, watermarks and what must come of them. */
  @FunctionalInterface
  interface Script {
    void run(OperatorHarness operator) throws Exception;
  }

  /** Strings one behind the other, so that order shows; {@code bar} marks where two were merged. */
  record Join(boolean mergeable, String bar) implements Aggregator<String, String, String> {
    @Override
    public String create() {
      return "";
    }

    @Override
    public String add(String accumulator, String value) {
      return accumulator + value;
    }

    @Override
    public String merge(String into, String from) {
      if (!mergeable) {
        throw new AssertionError("does not merge");
      }
      return into + bar + from;
    }

    @Override
    public String result(String accumulator) {
      return accumulator;
    }
  }

  static Node.Windowing kept(Windows windows, long latenessMillis) {
    return with(windows, latenessMillis, null, null, Node.Accumulation.ACCUMULATING);
  }

  static Node.Windowing with(
      Windows windows,
      long latenessMillis,
      Trigger<String> early,
      Trigger<String> late,
      Node.Accumulation accumulation) {
    return new Node.Windowing(
        windows, Duration.ofMillis(latenessMillis), early, late, accumulation, SideOutput.of(LATE));
  }

  /** With one accumulator a slice, and with one a window, where the windows allow both. */
  static void run(Node.Windowing windowing, Script script) throws Exception {
    run(windowing, new Join(true, ""), script);
    if (!(windowing.windows() instanceof Windows.SessionWindows)) {
      run(windowing, new Join(false, ""), script);
    }
  }

  static void run(Node.Windowing windowing, Aggregator<?, ?, ?> aggregator, Script script)
      throws Exception {
    run(HarnessMode.all(42), windowing, aggregator, script);
  }

  static void run(
      List<HarnessMode> modes,
      Node.Windowing windowing,
      Aggregator<?, ?, ?> aggregator,
      Script script)
      throws Exception {
    Node.WindowNode node =
        new Node.WindowNode(
            "windows", Port.main("in"), windowing, new Node.Aggregation("join", aggregator, null));
    for (HarnessMode mode : modes) {
      OperatorHarness operator =
          new OperatorHarness(
              KEYS, Serdes.string(), mode, context -> WindowOperators.create(node, context));
      try {
        script.run(operator);
        operator.close();
      } catch (AssertionError e) {
        throw new AssertionError(aggregator + ", " + mode + ": " + e.getMessage(), e);
      }
    }
  }
}
