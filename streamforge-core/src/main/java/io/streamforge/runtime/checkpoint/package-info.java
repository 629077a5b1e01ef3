/**
 * Checkpoints of a running job: when one is taken, what it consists of, and what a job goes on
 * from. Start with {@link io.streamforge.runtime.checkpoint.CheckpointCoordinator}.
 */
@NullMarked
package io.streamforge.runtime.checkpoint;

import org.jspecify.annotations.NullMarked;
