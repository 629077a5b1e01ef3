package io.streamforge.operator.window;

import io.streamforge.graph.Node;
import io.streamforge.graph.WindowForm;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.specialise.Specialised;

/** Makes the operator of a window node. */
@Specialised
public final class WindowOperators {
  private WindowOperators() {}

  /** In the form that {@link WindowForm} has chosen. */
  public static Operator create(Node.WindowNode node, OperatorContext context) {
    return switch (WindowForm.of(node).kind()) {
      case SLICES -> new SliceWindowOperator(node, context);
      case PER_WINDOW -> new PerWindowOperator(node, context);
      case SESSIONS -> new SessionOperator(node, context);
    };
  }

  /** What combines records before the exchange to the node. */
  public static Operator combine(Node.WindowNode node, OperatorContext context) {
    return new CombineOperator(node, context);
  }
}
