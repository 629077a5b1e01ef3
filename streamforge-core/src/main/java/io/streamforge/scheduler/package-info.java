/**
 * Who runs when, and what time it is: the one interface between the runtime and the threads of a
 * real process, or the virtual ones of a test. Start with {@link
 * io.streamforge.scheduler.Scheduler}; imports only the API.
 */
@NullMarked
package io.streamforge.scheduler;

import org.jspecify.annotations.NullMarked;
