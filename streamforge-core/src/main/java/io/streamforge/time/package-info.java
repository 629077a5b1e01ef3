/** Clocks, timestamps, watermark strategies and timers. Part of the API. */
@NullMarked
package io.streamforge.time;

import org.jspecify.annotations.NullMarked;
