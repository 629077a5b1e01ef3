/**
 * The workloads, independent of what runs them: {@link io.streamforge.bench.workload.Workload} says
 * what each computes, {@link io.streamforge.bench.workload.Input} makes its records from their
 * indexes, {@link io.streamforge.bench.workload.Feed} hands the indexes out and counts them. Uses
 * nothing but the JDK, as these classes are on the class path of every engine.
 */
@NullMarked
package io.streamforge.bench.workload;

import org.jspecify.annotations.NullMarked;
