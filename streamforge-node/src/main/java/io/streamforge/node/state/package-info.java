/**
 * What checkpoints hold, read from storage alone: without the job, its classes or a claim. Start
 * with {@link io.streamforge.node.state.StoredCheckpoints}. Nothing here changes what is stored.
 */
@NullMarked
package io.streamforge.node.state;

import org.jspecify.annotations.NullMarked;
