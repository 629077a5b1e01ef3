/**
 * Storage for checkpoints that does everything that storage may do, driven by a seed; start with
 * {@link io.streamforge.testkit.storage.SimulatedStorage}.
 */
@NullMarked
package io.streamforge.testkit.storage;

import org.jspecify.annotations.NullMarked;
