package io.streamforge.graph;

/** Placeholder. */
public final class TypeInference {
  /** Form. */
  public record Form() {}

  static TypeInference of(LogicalGraph graph) {
    return new TypeInference();
  }

  StreamType type(Port port) {
    return StreamType.UNKNOWN;
  }

  Form keyForm(Port port) {
    return new Form();
  }

  Form valueForm(Port port) {
    return new Form();
  }
}
