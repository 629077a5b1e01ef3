/** The contract of sinks. Part of the API; start with {@link io.streamforge.sink.Sink}. */
@NullMarked
package io.streamforge.sink;

import org.jspecify.annotations.NullMarked;
