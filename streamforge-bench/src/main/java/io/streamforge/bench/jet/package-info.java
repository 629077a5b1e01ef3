/**
 * The workloads as Hazelcast Jet pipelines in their idiomatic fast form, on one embedded member
 * that looks for no other. Start with {@link io.streamforge.bench.jet.JetJob}. Nothing outside this
 * package may use it: Hazelcast is on the class path only of JVMs that measure it.
 *
 * <p>Not null-marked: the contracts implemented here are not.
 */
@NullUnmarked
package io.streamforge.bench.jet;

import org.jspecify.annotations.NullUnmarked;
