package io.streamforge.runtime.task;

import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.RecordForm;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that ends at a task, as checkpoints know it.
 *
 * @param from the output that is sent, as a port is written
 * @param node the first node that receives it; what is in flight belongs to it
 * @param form how records in flight are written; null where checkpoints never overtake
 * @param restored records that were in flight in the checkpoint that the job goes on from, in a
 *     batch that belongs to no channel
 */
public record Inlet(String from, String node, @Nullable RecordForm form, Batch restored) {}
