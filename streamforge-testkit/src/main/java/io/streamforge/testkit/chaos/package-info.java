/**
 * A job in a process of its own that is killed again and again. Start with {@link
 * io.streamforge.testkit.chaos.Chaos}.
 */
@NullMarked
package io.streamforge.testkit.chaos;

import org.jspecify.annotations.NullMarked;
