/**
 * Batches, the channels between tasks, and the credits that bound them. Start with {@link
 * io.streamforge.runtime.channel.Channel}.
 */
@NullMarked
package io.streamforge.runtime.channel;

import org.jspecify.annotations.NullMarked;
