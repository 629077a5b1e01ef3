/**
 * Where checkpoints are kept: named objects, and what is promised of them when a process or a
 * machine dies. Start with {@link io.streamforge.storage.CheckpointStorage}; which one a location
 * means, {@link io.streamforge.storage.CheckpointStorages} knows. Imports only the API.
 */
@NullMarked
package io.streamforge.storage;

import org.jspecify.annotations.NullMarked;
