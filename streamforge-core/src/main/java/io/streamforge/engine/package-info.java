/** The composition root: {@link io.streamforge.engine.Engine} starts a topology and watches it. */
@NullMarked
package io.streamforge.engine;

import org.jspecify.annotations.NullMarked;
