/**
 * The contract of sinks. Part of the API; start with {@link io.streamforge.sink.Sink}, and go on
 * with {@link io.streamforge.sink.CommittingSink} for output that comes exactly once.
 */
@NullMarked
package io.streamforge.sink;

import org.jspecify.annotations.NullMarked;
