/**
 * Jobs that crash, on storage that fails, one schedule a seed, and the same every time. Start with
 * {@link io.streamforge.testkit.simulation.Simulation}.
 */
@NullMarked
package io.streamforge.testkit.simulation;

import org.jspecify.annotations.NullMarked;
