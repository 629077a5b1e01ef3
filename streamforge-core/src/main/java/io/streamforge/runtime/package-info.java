/**
 * Turns a physical plan into tasks, channels and I/O, and watches over them. Start with {@link
 * io.streamforge.runtime.JobRuntime}.
 */
@NullMarked
package io.streamforge.runtime;

import org.jspecify.annotations.NullMarked;
