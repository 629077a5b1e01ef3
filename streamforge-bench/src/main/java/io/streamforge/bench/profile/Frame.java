package io.streamforge.bench.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A method in a call tree, with the samples in which it was on the stack. */
final class Frame {
  private final Map<String, Frame> callees = new TreeMap<>();
  private final String name;
  private long samples;
  private long own;

  Frame(String name) {
    this.name = name;
  }

  /** Class and method. */
  String name() {
    return name;
  }

  /** Those of its callees included. */
  long samples() {
    return samples;
  }

  /** Those in which it was on top. */
  long own() {
    return own;
  }

  /** One sample; {@code stack} begins with what this has called. */
  void add(List<String> stack) {
    Frame at = this;
    at.samples++;
    for (String method : stack) {
      at = at.callees.computeIfAbsent(method, Frame::new);
      at.samples++;
    }
    at.own++;
  }

  /** What it has called, most samples first. */
  List<Frame> callees() {
    List<Frame> sorted = new ArrayList<>(callees.values());
    sorted.sort(Comparator.comparingLong(Frame::samples).reversed());
    return sorted;
  }
}
