package io.streamforge.bench.profile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** What a recording says, added up. */
final class Samples {
  private final Frame root = new Frame("all");
  private final Map<String, Long> own = new HashMap<>();
  private final Map<String, Long> anywhere = new HashMap<>();
  private final Map<String, Long> allocated = new HashMap<>();
  private int collections;
  private long pauseNanos;

  private Samples() {}

  static Samples read(Path file) throws IOException {
    Samples samples = new Samples();
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        samples.add(recording.readEvent());
      }
    }
    return samples;
  }

  private void add(RecordedEvent event) {
    switch (event.getEventType().getName()) {
      case "jdk.ExecutionSample" -> execution(event.getStackTrace());
      case "jdk.ObjectAllocationSample" -> allocation(event);
      case "jdk.GarbageCollection" -> {
        collections++;
        pauseNanos += event.getDuration("sumOfPauses").toNanos();
      }
      default -> {}
    }
  }

  private void execution(RecordedStackTrace trace) {
    if (trace == null || trace.getFrames().isEmpty()) {
      return;
    }
    List<String> stack = new ArrayList<>();
    for (RecordedFrame frame : trace.getFrames()) {
      stack.add(name(frame));
    }
    own.merge(stack.get(0), 1L, Long::sum);
    Set<String> once = new HashSet<>(stack);
    once.forEach(method -> anywhere.merge(method, 1L, Long::sum));
    Collections.reverse(stack);
    root.add(stack);
  }

  private static String name(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }

  private void allocation(RecordedEvent event) {
    RecordedClass type = event.getClass("objectClass");
    allocated.merge(type.getName(), event.getLong("weight"), Long::sum);
  }

  /** The call tree of all threads. */
  Frame root() {
    return root;
  }

  /** Samples by the method on top. */
  Map<String, Long> own() {
    return own;
  }

  /** Samples by every method on the stack. */
  Map<String, Long> anywhere() {
    return anywhere;
  }

  /** Estimated bytes by class. */
  Map<String, Long> allocated() {
    return allocated;
  }

  /** Number of garbage collections. */
  int collections() {
    return collections;
  }

  /** For how long they have stopped the threads. */
  long pauseNanos() {
    return pauseNanos;
  }
}
