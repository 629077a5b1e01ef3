/**
 * Whether the engine keeps what it should give back: memory, threads, class loaders. Start with
 * {@link io.streamforge.bench.soak.Soak}.
 */
@NullMarked
package io.streamforge.bench.soak;

import org.jspecify.annotations.NullMarked;
