/**
 * Checkpoints as they are stored: framing with checksums, the manifest of a checkpoint, the log in
 * which checkpoints are published and processes fence each other, and clean-up. Start with {@link
 * io.streamforge.checkpoint.CheckpointLog}; decision 10 has the argument why it is safe. Imports
 * storage, backend, scheduler, metrics and the API.
 */
@NullMarked
package io.streamforge.checkpoint;

import org.jspecify.annotations.NullMarked;
