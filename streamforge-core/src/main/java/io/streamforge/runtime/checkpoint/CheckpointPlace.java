package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.CheckpointLog;
import java.util.function.LongSupplier;

/**
 * Where the checkpoints of a job are, and who writes there.
 *
 * @param log of the job
 * @param tokens random numbers
 * @param owner describes this process, for the messages of others
 */
public record CheckpointPlace(CheckpointLog log, LongSupplier tokens, String owner) {}
