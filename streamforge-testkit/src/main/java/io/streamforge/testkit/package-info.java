/**
 * Runs topologies in tests, deterministically and without waiting. Start with {@link
 * io.streamforge.testkit.TopologyTestDriver}.
 */
@NullMarked
package io.streamforge.testkit;

import org.jspecify.annotations.NullMarked;
