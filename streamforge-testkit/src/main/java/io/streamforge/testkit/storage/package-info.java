/**
 * Storage for checkpoints: {@link io.streamforge.testkit.storage.SimulatedStorage} does everything
 * that storage may do, driven by a seed; {@link
 * io.streamforge.testkit.storage.CheckpointStorageContract} tests what storage must do.
 */
@NullMarked
package io.streamforge.testkit.storage;

import org.jspecify.annotations.NullMarked;
