/** Windows: assignment, slices, accumulators per window, sessions and triggers. */
@NullMarked
package io.streamforge.operator.window;

import org.jspecify.annotations.NullMarked;
