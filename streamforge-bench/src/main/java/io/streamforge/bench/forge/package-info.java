/**
 * The workloads as StreamForge topologies. Start with {@link io.streamforge.bench.forge.ForgeJob}.
 */
@NullMarked
package io.streamforge.bench.forge;

import org.jspecify.annotations.NullMarked;
