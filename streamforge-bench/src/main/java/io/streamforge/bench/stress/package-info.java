/**
 * What concurrency the runtime claims, tried by jcstress; run by {@code StressTest}. Start with
 * {@link io.streamforge.bench.stress.ChannelStress}.
 */
@NullMarked
package io.streamforge.bench.stress;

import org.jspecify.annotations.NullMarked;
