/**
 * The {@code streamforge} command line. Start with {@link
 * io.streamforge.node.cli.StreamForgeCommand}.
 */
@NullMarked
package io.streamforge.node.cli;

import org.jspecify.annotations.NullMarked;
