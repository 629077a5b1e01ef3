/**
 * StreamForge: build a {@link io.streamforge.Topology} with {@link
 * io.streamforge.Topology#builder}, run it with {@code io.streamforge.engine.Engine}.
 */
@NullMarked
package io.streamforge;

import org.jspecify.annotations.NullMarked;
