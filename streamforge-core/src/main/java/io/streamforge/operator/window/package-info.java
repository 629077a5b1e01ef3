/**
 * Windows: assignment, slices, accumulators per window, sessions and triggers. Start with {@link
 * io.streamforge.operator.window.WindowOperators}, which chooses one of three operators; {@link
 * io.streamforge.operator.window.WindowAssigner} says which windows there are. May import what
 * {@code operator} may.
 */
@NullMarked
package io.streamforge.operator.window;

import org.jspecify.annotations.NullMarked;
