/**
 * The operators, written once against {@link io.streamforge.operator.Operator} and {@link
 * io.streamforge.operator.OperatorContext}, and the one place that makes an operator from a node of
 * the graph, {@link io.streamforge.operator.OperatorFactory}. Public for technical reasons, not
 * API. Imports graph, metrics and the API.
 */
@NullMarked
package io.streamforge.operator;

import org.jspecify.annotations.NullMarked;
