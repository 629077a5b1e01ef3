/**
 * Measures StreamForge beside its peers. {@link io.streamforge.bench.Bench} starts a JVM for each
 * run and writes the results; what is computed stands in {@code workload}, how it is measured in
 * {@code measure}, and each engine has a package of its own.
 */
@NullMarked
package io.streamforge.bench;

import org.jspecify.annotations.NullMarked;
